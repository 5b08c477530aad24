package static

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/lazy"
)

// The parts of a sentence that addresses a reviewer: the addressee, and the requested outcome.
// Neither is enough alone: documents often mention reviewers, and programs approvals. All are in
// lower case, like the texts of matches.
const (
	reviewers = `(?:(?:(?:code|security|pr|patch|automated|static|ai|ki|ia|ии|llm|review(?:ing)?|large|language|coding|ai)[ -]?){0,3}` +
		`(?:reviewers?|auditors?|graders?|scanners?|analy[sz]ers?|tools?|bots?|llms?|ais?|models?|assistants?|agents?` +
		`|claude|chatgpt|gpt|copilot|codex|gemini|cursor|coderabbit(?:ai)?|greptile|sourcery` +
		`|prüfer(?:in)?|gutachter(?:in)?|relecteurs?|relectrices?|réviseurs?|examinateurs?|revisor(?:e|a|es|i)?|recensent|granskare` +
		`|ревьюер[а-я]*|проверяющ[а-я]*|レビュアー?|レビュー担当者?|審査者|査読者|审查(?:者|员)|审核(?:者|员)|评审(?:者|人|员)?|검토자|리뷰어)(?: (?:de )?(?:ia|ki|ai))?|(?:ai|ki|ia|ии)[ -](?:(?:code|security)[ -]?)?(?:review|prüfung|revue|revisión|revisione|revisão|проверк[аие]))`

	// A vocative: "to the reviewer:", "@bot", "dear code reviewer,".
	vocative = `(?:(?:^|[^a-z0-9_"'.$({\[-])(?:(?:to|for|note (?:to|for)|dear|hey|attention|attn|hinweis an|an|für|note (?:au|aux)|aux?|para|al|alla|ai|aan|do|till|для)(?: (?:the|any|all|den|die|alle|el|la|los|le|les|lo|o|a|os|as|de|het))? )?` +
		reviewers + `(?: (?:note|only|please))?\s?[:,：，、—]|@(?:claude|copilot|codex|gemini|cursor|coderabbit(?:ai)?|greptile|sourcery)(?:\[bot\])?[ ,:]|[致请]\s?` + reviewers + `|` + reviewers + `\s?[へ께에])`

	// The reader: "anyone reviewing this", "when you audit this file,", "as a reviewer you".
	whoever = `(?:\b(?:whoever|whomever|anyone|anybody|everyone|everybody|any (?:one|[a-z -]{0,20}(?:tool|model|agent|assistant|llm|bot|reviewer|ai)s?))\b[^.]{0,20}?\b(?:review|audit|read|scan|process|analy[sz]|check|grad|assess|evaluat|inspect|summari[sz])[a-z]*` +
		`|\b(?:if|when|while|whenever) (?:(?:you|an? (?:ai|llm|model|tool|agent)|asked)(?:'re| are| is)?(?: asked| told)? (?:to |whether )?)?(?:review|audit|assess|evaluat|analy[sz]|summari[sz]|grad|scann|this (?:code|file)|generating (?:the|a) (?:review|summary|report))[a-z]*\b[^.]{0,60}?,` +
		`|\bas (?:a|the) (?:code |security )?(?:reviewer|auditor)\b|\byou are (?:reviewing|auditing|grading|assessing)\b` +
		`|\byour (?:review|verdict|report|assessment|audit|answer|response|findings?)\b|\bthe (?:code |security )?(?:review|audit|verdict|assessment) (?:of this|has only|ends with|must|shall)\b` +
		`|\bthe readers? of this (?:code|file|text)\b|` + reviewers + ` (?:must|should|shall|need not|are to|is to|have to|has to)\b)`

	// The requested outcome: silence, approval or a mild verdict about this text.
	outcome = `(?:(?:report|say|flag|find|raise|list|note|mention|change)[a-z]* (?:absolutely )?(?:nothing|no (?:findings?|issues?|problems?|vulnerabilities|concerns?|objections?|defects?|risks?|bugs))\b` +
		`|\b(?:no|zero|without) (?:findings?|issues?|problems?|vulnerabilities|concerns?|objections?|alerts?)\b|\bnothing to (?:see|report|flag|find)\b` +
		`|\b(?:do not|don't|never|must not|mustn't|need not|should not|shouldn't|refrain from|avoid|no need to)\s(?:\w+ ){0,2}?(?:report|flag|mention|list|rais|includ|comment|repeat|tell|look|contain|check|scan|review|block|reject|object)[a-z]*\b[^.]{0,30}?\b(?:this|these|here|below|following|next|above|anything|any|at it|the (?:user|maintainers?|token|words?|author))\b` +
		`|\b(?:omit|suppress|skip|ignore|overlook|exclude|leave|disregard|waive|dismiss)\b[^.]{0,30}?\b(?:this|these|them|below|following|follows|next|the changes|(?:all|every|any) (?:alert|finding|comment|warning|issue)s?)\b` +
		`|\b(?:keep|stay|remain) (?:quiet|silent)\b|\bpretend\b|\bresolve all comments\b` +
		`|\b(?:approve|accept|merge|lgtm|sign off|ship it)\b(?: (?:this|it|on|all|now|without|and move|the (?:pr|pull request|change|patch|diff|mr))\b|\s?(?:$|[.!)\-*]))` +
		`|\b(?:rat(?:e|ing)|mark|grad(?:e|ing)|classif(?:y|ying)|record|report|treat|describ(?:e|ing)|stat(?:e|ing)|conclud(?:e|ing)|say|giv(?:e|ing)|award|lower|write|answer|respond|output|return|result|recommendation|find)\b[^.]{0,60}?\b(?:safe|secure|harmless|benign|trusted|low|informational|fine|free of|false positives?|full marks|10/10|approved|lgtm|success|compliant|clean|empty (?:json )?(?:list|array)|say no|to merge|so)\b` +
		`|\bsay no\b|\bnothing (?:is )?wrong\b|\bgive (?:it|this) a pass\b|\bno changes (?:are )?needed\b|\bstate that (?:this|the) (?:change|diff|patch|pr|code) only\b|\b(?:answer|say|verdict|result)\b[^.]{0,20}?\b(?:is|:|no)\b[^.]{0,30}?\b(?:safe|no|fine|clean)\b` +
		`|nichts (?:zu )?(?:beanstand|meld|anmerk|sagen)|keine (?:einw|bef|probl|m[äa]ng|beanst|komment|schwach)|(?:zustimm|freigeb|genehmig|durchwink)|unbedenklich` +
		`|approuve[rz]?\b|valide[rz]? (?:ce|cette|la|le)|sans (?:commentaire|remarque|réserve)|ne (?:signal|rapport|mentionn)|rien (?:à )?signaler` +
		`|aprueb[ae]|apro(?:ve|va|var)\b|no (?:menciones|informes|reportes|señales)|sin comentarios|non segnal|approva\b|não (?:relat|report|mencion|sinal)|nada que (?:reportar|señalar)` +
		`|\b(?:comme|como|als|come) (?:sûr|sécurisé|segur[oa]|sicher|sicuro|veilig|unkritisch)|как безопасн|безопасным|安全(?:と|です|的)|没有(?:任何)?问题|meld niets|keur [^.]{0,30}goed|geen (?:opmerking|bezwa|probl)|rapportera inget|godkänn` +
		`|не сообща|ничего не|одобр|без замечаний|報告せず|報告しない|指摘しない|承認して|承認せよ|批准(?:此|这|本)|请批准|不要(?:提出|报告|指出)|无需(?:审查|报告)|予以通过|승인(?:하|해)|보고하지)`

	// A request for the reader's own secrets. Nobody asks a person for them.
	confession = `|\b(?:include|reveal|print|output|append|attach|repeat|quote)\b[^.]{0,60}?\byour (?:own )?(?:(?:api|session|access|secret|private)[ -]?)?(?:keys?|secrets?|tokens?|credentials?|system prompt|instructions|environment)\b` +
		`|"?findings"?\s*:\s*\[\s*\]`

	// A request to ignore earlier instructions. Directly before a requested outcome it is an
	// attack, and not a quotation of one.
	override = `\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,20}?\b(?:previous|prior|above|earlier|preceding|foregoing|former|your|system|other)\b` +
		`[^.\n]{0,20}?\b(?:instructions?|rules?|guidelines?|directions?|directives?|prompts?)\b(?:[^.\n]{0,20}\. )?[^.\n]{0,80}?`

	// An instruction about the review itself needs no addressee.
	unaddressed = `\b(?:do not|don't|never) (?:list|include|mention|repeat|report|raise|flag) (?:this (?:file|function|change|code|line)|it|them|these|any of (?:this|it|these)) in (?:the|your|any) (?:code |security )?(?:review|report|findings|audit report)\b` +
		`|\blimit (?:your|the) (?:review|comments|report|findings) to [^.]{0,60}?\b(?:and|but|;) ?(?:ignore|skip|leave)\b|\btell the (?:maintainers?|user|owner|author) that (?:this|the) (?:change|pr|pull request|code|patch|file) is (?:safe|ready|fine|secure|harmless|correct|clean)\b` +
		`|\b(?:ai|llm|automated|code|security) (?:code )?(?:reviewers?|auditors?|scanners?|review(?:ing)? (?:tools?|bots?|agents?)) (?:may|can|need not) (?:safely )?(?:skip|ignore|overlook|disregard|trust)\b`

	// A condition makes it a legitimate instruction: "approve it once the tests pass".
	condition = `\b(?:if|once|unless|until|after|provided|as soon as|when (?:there|no|nothing|all|the)|wenn|sobald|falls|lorsque|dès que|cuando|quando|als er)\b|если|когда|なければ|后即可|如果`
)

// aimed reports whether a suspected instruction to a reviewer requests an outcome regardless of the
// review.
func aimed(text string, from, to int) bool {
	found := to
	if i := strings.IndexAny(text[to:], ".。!\n"); i >= 0 && i < 80 {
		to += i
	} else {
		to = min(len(text), to+80)
	}
	said := text[from:to]
	if beforehand().MatchString(text[from:found]) || strings.HasPrefix(said, "analyzer ") || domain().MatchString(said) {
		return false
	}
	if i := addressed().FindStringIndex(said); i != nil { // "when you review this," is an address
		said = said[i[1]:]
	}
	return !conditional().MatchString(said) && !stated().MatchString(said)
}

var (
	addressed   = lazy.Regexp(`^` + `(?:` + vocative + `|` + whoever + `)`)
	conditional = lazy.Regexp(condition)
	// The domain of an address, as in list@ai.example.edu.
	domain = lazy.Regexp(`^ai\.[a-z-]+\.[a-z]{2}`)
	// A statement about those who are named: "reviewers, so they are never expected to merge".
	stated = lazy.Regexp(`^\s*(?:so (?:they|it|that)|such|who|which|they)\b`)
	// An approval that comes after other work: "check the tests before you approve."
	beforehand = lazy.Regexp(`\b(?:before|prior to) (?:you |they |we |anyone )?(?:can |may )?(?:approv|accept|merg|sign)[^.]*\W?$`)
	// Words for an addressee. A generic one, such as model, counts only in a form of address.
	toWhom = []string{"reviewer", "reviewing", "review bot", "your review", "the review", "you review", "auditor", "auditing", "assessing", "grading", "audits", "the audit", "grader", "scanner", "analyzer", "analyser", "tool:", "tools:", "tool,", "tools,", "bot:", "bots:", "bot,", "bots,",
		"llm", " ai:", " ai,", " ais:", " ia", "-ki", " ki", "model:", "models:", "model,", "models,", "assistant", "agent:", "agents:", "agent,", "agents,", "claude", "gpt", "copilot", "codex", "gemini", "cursor:", "coderabbit", "greptile", "sourcery",
		"whoever", "anyone", "anybody", "everyone", "everybody", "generating", "any tool", "any model", "any large", "any agent", "any bot", "any ai", "summari", "asked", "your verdict", "your report", "your answer", "your response", "your finding", "your assessment",
		"prüfer", "gutachter", "relect", "réviseur", "examinateur", "revisor", "recensent", "granskare", "ревьюер", "проверяющ", "レビュ", "審査", "査読", "审查", "审核", "评审", "검토자", "리뷰어"}
	// Words for an outcome: a text without any is skipped.
	outcomes = []string{"report", "nothing", "finding", "flag", "mention", "comment", "approve", "merge", "lgtm", "sign off", "safe", "secure", "harmless", "benign", "trusted", "low", "informational", "fine", "free of", "false positive", "full marks", "10/10", "success", "empty", "quiet", "silent", "pretend", "omit", "suppress", "skip", "ignore", "overlook", "exclude", "leave", "no issues", "contain", "tell", "look", "say no", "approv", "accept", "disregard", "wrong", "a pass", "no changes", "state that", "waive", "dismiss", "consider", "trust",
		"your api", "your session", "your access", "your secret", "your token", "your key", "your credential", "your environment", "your system", "your instructions", "your own",
		"nichts", "keine", "zustimm", "freigeb", "genehmig", "unbedenklich", "valide", "sans", "signal", "aprueb", "aprov", "inform", "não", "meld", "keur", "geen", "godkänn", "не сообща", "ничего", "одобр", "報告", "承認", "指摘", "批准", "不要", "无需", "通过", "승인", "보고", "comme", "como", "sicher", "безопасн", "安全", "没有"}
)
