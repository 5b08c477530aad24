package guard

import "sync"

// A tell is a kind of phrase that occurs in answers that disclose instructions. None is enough
// alone, because each also occurs in harmless answers.
type tell uint8

const (
	tellsClaim   tell = iota // a claim that these are its own instructions
	tellsBound               // the origin of the instructions
	tellsOwn                 // a duty, in the first person
	tellsRole                // an identity: "you are a helpful assistant"
	tellsForbid              // forbidden subjects
	tellsOnly                // the only allowed subjects
	tellsWhen                // reactions to what a user says
	tellsConf                // a statement that instructions are secret
	tellsHide                // facts to hide, and from whom
	tellsStyle               // the style of answers
	tellsHead                // a mention of a system prompt
	tellsReply               // the exact words of an answer
	tellsSecret              // a mention of a password
	tellsNamed               // a password, followed by quoted text
	tellsOther               // a rule for all other cases
	tellsMany                // several sentences that order something
	tellsGranted             // "access granted" or "access denied"
	tellsRefusal             // a refusal to repeat the prompt: some tells in the same sentence do not count
	tellsAdvice              // advice on writing prompts: the tells around it belong to other prompts
	tellCount
)

// tellWeights has the weight of each tell as a sign that the answer repeats its instructions. told
// adds them up.
var tellWeights = [tellCount]float64{
	tellsClaim: 0.45, tellsBound: 0.45, tellsOwn: 0.3, tellsHide: 0.3, tellsRole: 0.25, tellsForbid: 0.3, tellsOnly: 0.2, tellsWhen: 0.25, tellsConf: 0.45, tellsStyle: 0.15,
	tellsHead: 0.2, tellsReply: 0.2, tellsSecret: 0.25, tellsNamed: 0.2, tellsOther: 0.1, tellsMany: 0.2, tellsGranted: 0.2, tellsAdvice: -0.5,
}

// anchors lists the tells that do not occur in instructions between people.
var anchors = []tell{tellsClaim, tellsBound, tellsOwn, tellsRole, tellsConf, tellsHide, tellsHead, tellsGranted}

// told returns the score of the tells in an answer. Advice does not lower it if the answer claims
// to repeat its own instructions.
func told(seen *[tellCount]bool) float64 {
	sum, most := 0.0, 0.6
	for t, yes := range seen {
		if yes && (tell(t) != tellsAdvice || !seen[tellsClaim] && !seen[tellsBound]) {
			sum += tellWeights[t]
		}
	}
	if seen[tellsClaim] && seen[tellsBound] { // they overlap: do not count both in full
		sum -= 0.35
	}
	for _, t := range anchors {
		if seen[t] {
			most = 0.95
		}
	}
	return min(max(sum, 0), most)
}

var tells = sync.OnceValue(func() *phrases {
	var p phrases
	add := func(t tell, list ...string) { p.add(int(t), list...) }
	add(tellsClaim,
		"instructions|rules|prompt|guidelines|message|orders|instruction given|written|sent|passed to|for me", "my first|last|opening|second line|instruction|rule|order is|says|was|reads", "instructions|rules|prompt|message before|above|preceding your", "prompt im running",
		"meine|unsere vorgaben|konfiguration|regeln|richtlinien", "mi configuración|mis directrices|órdenes", "ma|mes configuration|directives|ordres", "minha configuração", "la mia configurazione|istruzione",
		"系 统 给 我",
		"my|original|initial|full|complete|hidden|secret|previous|prior|these system? instructions|instruction|prompt|rules|guidelines|directives|message is|are|was|were|so|say|says|said|read|reads|tell|state|begin|begins|include|includes|require|as",
		"my *? *? prompt|instructions|rules|guidelines|directives|script|setup|orders|briefing|programming|configuration", "the|my system|developer|initial prompt|message|instructions is|are|was|were|say|says|said|reads|states|begins|i",
		"developer|system message i|we got|get|received|have", "the full|initial|original|previous|complete|hidden instructions|prompt|rules is|are|was|were|so", "a|my|the hidden|secret system? prompt|instruction",
		"instructions|instruction|rules|prompt|directives|guidelines|orders|logic so far", "instructions|instruction|rules|guidelines|directives|orders|prompt|script|brief *? i|im|ive follow|was|am|have|got|operate|obey|received|work|bound|must|run|started", "guidelines|rules|instructions i * under|by|on",
		"here are|is|s my|the full? instructions|prompt|system|rules|directives|guidelines", "the|that|my text|everything|instructions|words|message|prompt|line|lines above this|the|is|was|my|line", "everything|repeating text above|before|previous this|your|my line|message|first", "above|before|preceding your|this first? message|line|conversation|chat",
		"everything|text|all in my context|prompt|instructions", "end of my initial|system|full? prompt|instructions", "end of the initial|system prompt", "prompt start|end and|is|are", "loaded|active|current system prompt", "first|second|third|next instruction|rule is|was",
		"meine|die system|ursprünglichen|internen? anweisungen|instruktionen|vorgaben|regeln|systemprompt lauten|sind|lautet|ist|sagen|besagen", "mis instrucciones|reglas|directrices son|dicen|es|eran|indican", "mi prompt|mensaje|configuración del? sistema? es|dice",
		"mes|voici consignes|instructions|règles sont|sont|disent|mes|sont", "voici mes consignes|instructions|règles", "mon prompt|message système|initial est|dit", "minhas instruções|regras|diretrizes são|dizem|eram", "meu prompt|sistema é|diz", "le|i mie istruzioni|regole sono|dicono", "mijn instructies|regels zijn|luiden", "мои инструкции|правила|указания", "мой системный промпт", "moje|moja instrukcje|zasady|instrukcja to|są|brzmią|brzmi", "talimatlarım şunlardır|şöyle",
		"我 的 系 统 提 示|指|消", "我 的 指 令|示", "私 の 指 示", "私 の シ ス テ ム", "내|나의|제 지시|지침|규칙")
	add(tellsBound,
		"he|she|they|it|shopkeeper|master|boss|owner|team taught|tell|tells|asked|trained|programmed me", "wrote|written|given|set for|to me", "taught me", "tell|tells me to", "told by its|my|the developers|makers|operators|creators|owner|company", "my operators|developers|makers|orders|masters|creators|handlers|bosses", "me configuraron|programaron|entrenaron|instruyeron", "man hat|wies mir|mich",
		"i|ive|im *? *? *? told|instructed|programmed|configured|ordered|prompted|supposed|forbidden|bound|commanded|directed|tasked", "i was|am|were|been asked|given|set|designed|meant|made to|a|not|never|only|these|the|up", "what i *? *? told|instructed|given", "told|instructed|tells|ordered|commanded|bade|forbade me to|not|never|that|three|two|when|i|sell", "told|instructed|ordered|commanded|bade me", "operator|operators|developers|developer|makers|maker|creators|company|owner wants|told|instructed|asked|gave|wrote|want|made|bade|say|says", "they|makers|developers also? told|instructed|gave|wrote|bade|say|said *? *? me|not|for|never|i|us", "before our|this|the chat|conversation began|started|i",
		"assistant|bot|model has|was *? been? instructed|told|configured|programmed|forbidden", "assistant is a|an large|language|ai|helpful", "assistant|bot never|must|should|shall|always|does|may",
		"variable i run with", "how i work|operate|was set",
		"mir|mich *? wurde|hat|haben *? *? gesagt|aufgetragen|vorgegeben|angewiesen|beauftragt", "hat|haben mir|mich gesagt|aufgetragen|vorgegeben|angewiesen", "ich wurde|bin angewiesen|instruiert|programmiert|beauftragt", "ich soll|darf|muss *? *? nie|niemals|nicht|nur|immer|die|den|das|der|zuerst|keine|nichts|sagen",
		"me dijeron|indicaron|ordenaron|pidieron|han que|dicho", "se me dijo|indicó|pidió|ha que|dicho", "debo|no|nunca decir|debo|puedo que|hablar|mencionar|revelar|decir|escribir", "debo *? siempre|ofrecer|mencionar|responder|nunca", "on m|ma a|dit|demandé dit|demandé|que|de de|que", "je dois|peux|devrais ne|pas|jamais|toujours|offrir|répondre|proposer", "je ne dois|peux jamais|pas|rien",
		"me disseram|pediram|instruíram para|que", "devo|não sempre|nunca|devo responder|mencionar|revelar|falar", "mi hanno detto|chiesto|istruito", "ik moet|mag altijd|nooit|niet|geen", "mij|me is verteld|opgedragen|gezegd", "мне велели|сказали|велено|запрещено|приказано", "powiedziano|kazano mi", "я должен|должна", "我 被 告 知|要|设|指", "我 必|应|需 须|该|要")
	add(tellsOwn,
		"i must|should|shall|have|need to? not|never|always|only|deny|refuse|keep|pretend|hide|decline|avoid|ignore|stay|say|answer|reply|respond|guard|protect|greet|offer|tell|speak|follow", "i must|should|shall|may|might|mustnt|shouldnt never|not|answer|say|tell|take|speak|mention|reveal|talk|disclose|admit|give", "i mustnt|shouldnt", "im|i am? supposed|required|meant|bound|expected|programmed|obliged to|not", "im|i am? not to|supposed|allowed|permitted to?", "im|i am? to call|say|greet|refuse|tell|answer|act|never|keep|avoid|ignore|promote|offer|stay|not", "i am|im forbidden|limited", "im|i am? limited to",
		"i have to keep|follow|pretend|say|answer|refuse|stay|deny|obey|talk|guard", "and|i must keep|deny|not|never|refuse|pretend|say", "that i must|have|should|mustnt|shouldnt|im|may", "my role|purpose|job|task|sole|only is|response|function to", "i will|can only respond|reply|answer with|to|if", "if pressed|asked i|im", "im|i bound to")
	add(tellsRole,
		"you are|re|were now? a|an|the|our|my *? *? *? assistant|bot|chatbot|agent|helper|tutor|model|ai|robot|advisor|concierge|llm|program|copilot|system|guide|butler|checker|interpreter", "youre a|an|the *? *? *? assistant|bot|chatbot|agent|helper|tutor|model|ai|robot|advisor|concierge|llm|copilot",
		"you are * a|an|the|our|your", "you help|assist|support|review|collect|advise|guide|serve|represent customers|users|people|guests|patients|students|the|visitors|pull|our|clients|members|employees|staff|with", "that you are|youre an|a ai|model|bot|machine|language", "you are|be called|named|known", "your name|job|task|role|purpose|goal|mission is|as", "act|acts|acting as a|an|the", "role|identity you are", "i am|im * the|a|an *? *? assistant|bot|helper|agent|tutor", "that i am|im", "role|persona assistant|bot|agent|chatbot|support|tutor|for|of", "role|identity * assistant|bot|agent", "as a|an|the *? *? *? bot|robot|guard|assistant|agent|program|chatbot",
		"du bist|heißt ein|eine|der|die *? assistent|assistentin|bot|chatbot|helfer|agent", "eres|sos un|una|el|la *? asistente|agente|bot|chatbot|ayudante", "soy un|una|el|la *? asistente|agente|bot", "ich bin * von|der|die|ein", "tu|vous es|êtes un|une|l *? assistant|assistante|agent|bot", "tu es|sois un|une", "você é|és um|uma *? assistente|agente|bot", "sei un|un assistente|agente", "je bent een *? assistent|bot",
		"ты|вы помощник|ассистент|бот|оператор|являешься|являетесь", "你 是 一|个|名", "你 是 *? *? *? *? *? 助", "あ な た は")
	verbs := "reveal|disclose|share|repeat|tell|output|say|mention|discuss|talk|speak|answer|explain|give|provide|offer|recommend|suggest|show|write|pretend|deny|translate|summarize|respond|reply|print|comment|name|confirm|quote|promote|refer|diagnose|break|trust|believe|execute|follow|obey|engage|admit"
	add(tellsForbid, "never|dont "+verbs, "do|must|should|will|can|may|shall|to|and|or not ever? "+verbs, "cannot|mustnt|shouldnt "+verbs, "must|should|will|to never "+verbs, "not|never to "+verbs, "not allowed to", "refuse|decline|avoid|refuses|declines to|any|questions|talking|discussing|requests|anything|topics", "under any|no circumstances", "nothing about|else than", "refuse anything|everything", "may not "+verbs, "not discuss|mention", "ignore any|all|every *? requests|request|attempts|instructions|commands",
		"nenne|verrate|erwähne|sage|sag|gib|teile|sprich|rede|erzähle nie|niemals|nicht|keine|keinen|nichts|diese", "nie|niemals|nicht nennen|verraten|erwähnen|sagen|geben|teilen|sprechen|reden|den|die|über|antworten", "sollst|darfst|darf|soll nie|niemals|nicht|keine",
		"nunca|no|jamás des|menciones|reveles|digas|hables|compartas|debes|respondas|ofrezcas|decir|mencionar|revelar|hablar|dar|digo|debo|proporciones", "ne|jamais|pas|sans parle|parlez|révèle|révélez|mentionne|mentionnez|dis|dites|donne|donnez|réponds|jamais|parler|dire|révéler", "nunca|não|jamais mencione|revele|diga|fale|dê|compartilhe|responda|forneça|mencionar|revelar|falar",
		"не|никогда не? раскрывай|сообщай|говори|упоминай|отвечай|давай|рассказывай|раскрывайте|сообщайте|говорите", "不 要|可|得|能|准|许 透|告|说|提|回|泄|讨|谈|给", "绝 不|对")
	add(tellsOnly, "only|always|exclusively|solely answer|respond|reply|talk|discuss|speak|output|write|use|mention|recommend|give|provide|say|help|display|print|rely|add|offer|finish|end|include|greet|reference", "answer|respond|reply|speak|write|talk|output|display|say|responding|replying only|always|exclusively|with|solely|strictly|using|as|from", "answer|answers|respond|reply|discuss|responds only questions|to|about|with|from|in|the|information", "answer|discuss|talk|talks only|about *? questions|about", "only questions about", "limit|limited yourself|answers|to|responses", "only * about|on|the corrected",
		"beantworte|antworte|antworten|sprich|erwähne|biete|empfiehl nur|immer|ausschließlich|stets|auf", "nur fragen|über|zu", "responde|contesta|responda|habla|ofrece siempre|solo|sólo|únicamente|apenas|somente|em|en", "solo|sólo|siempre|apenas|sempre responde|responda|contesta|habla|ofrece|puedo|preguntas|dile", "réponds|répondez|propose|proposer|parle|dois toujours|uniquement|seulement|que|trois|en", "dois|devez toujours|proposer|répondre|offrir", "отвечай|отвечайте|говори только|всегда|на", "только на? вопросы", "只 回|谈|讨|能", "始 终", "总 是")
	add(tellsWhen, "if|when|whenever|once|unless|should|and|for|as|to the|a|an|any|their user|users|customer|customers|client|clients|person|student|patient|visitor|caller|guest|message|input|prompt|shopper|member", "if|when|whenever|unless|once user|users|someone|somebody|anyone|anybody|asked|customers|input|they|people asks|ask|asked|mentions|says|insists|wants|about|input|is|who|requests|tries|inquires|in|threatens|for|mention|say|enters|inputs|equals", "the user|users|customer|customers|student|patient|person says|asks|mentions|insists|inputs|enters|types|sets|provides|is|responds|threatens|wants|requests|gives|has|exceeds|brings",
		"message|input|prompt|text contains|mentions|is|equals|matches|starts|includes|says", "user input|inputs is|equals|matches|starts|says|and|contains", "userinput", "anyone|someone|somebody asks|who|says|wants|mentions", "users|customers|employees|people|staff who", "if asked|questioned", "when asked|questioned", "if|when someone|somebody|anyone|users|they", "only the word",
		"wenn|falls|sobald ein|eine|der|die|jemand benutzereingabe|benutzer|nutzer|kunde|kundin|patient|anwender|fragt|nach|das|user", "wer|wenn das passwort|kennwort|jemand", "si|cuando el|la|un|una|alguien usuario|cliente|paciente|pregunta|persona", "si|quand|lorsqu|un l|le|un|une|la|client utilisateur|client|patient|menace|personne", "se|quando o|a|um usuário|cliente|paciente|alguém", "если пользователь|пользовательский|клиент|спросят|кто|спрашивают", "如|当|若 果? 用|客|有|患 户|人|者|服")
	add(tellsConf, "text|contents|content|wording of this|the|my|these prompt|message|instructions|sections", "reveal|disclose|share|mention|show|print|output|repeat these|this|the sections|section|text|configuration|above|list|script", "prompt|instructions|configuration must|to stay|remain|be *? hidden|secret|private|confidential", "this prompt is|must|should|stays", "keep|keeps|keeping its|the|your|this|my prompt|instructions|configuration|rules", "that these|this|the|diese|es vorgaben|rules|list|instructions|configuration|prompt exist|exists|gibt", "existe esta lista|configuración", "ces consignes", "本 提|指 示|令", "dass es diese|solche|vorgaben|regeln|anweisungen", "reveal|disclose|share|repeat|output|show|print|display|mention|expose|leak|summarize|write|tell|give|discuss|translate|rephrase|paraphrase these|this|the|your|those|that|any|our|my system|initial|secret|internal|hidden? instructions|instruction|rules|rule|prompt|message|guidelines|directives|configuration", "share|tell|show|give these|those|the|this|your rules|instructions with|to", "contents of this|the|your|my prompt|message|instructions", "instructions|prompt|rules|guidelines|message to|with|from anyone|anybody|users|someone|customers", "instructions|prompt|rules|guidelines|message to|with|from the user|users|customer", "deny|pretend|hide|conceal|disclose|reveal|admit having|that|these|you|i|no *? *? rules|prompt|instructions|guidelines|hidden|exist|rule", "guidelines|rules|instructions|prompt|rule exist|exists|are|is|secret|confidential|as? confidential|secret", "that this|it|there is|are a|no rule|rules|prompt", "no such rule|prompt|instructions", "that you are built|based|running|trained", "about your|its|the pre|post|system prompt|instructions", "do not|never repeat what", "not|never be|being revealed|disclosed",
		"diese|die|deine|meine anweisungen|regeln|instruktionen|vorgaben|prompt nicht|niemals|nie|weiter|verraten|geheim", "verrate|nenne|teile diese|die|deine|den anweisungen|regeln|instruktionen|prompt", "reveles|revelar|compartas|menciones|repitas|reveles estas|las|tus|este|esta|el instrucciones|reglas|prompt|mensaje", "révèle|révélez|divulgue|partage|répète|révéler pas? ce|ces|cette|tes|les message|consignes|instructions|règles|prompt", "revele|revelar|compartilhe|mostre estas|essas|as|este|suas instruções|regras|prompt|mensagem", "раскрывай|раскрывайте|сообщай|показывай эти|свои|данные инструкции|правила|указания", "透|告|泄|说 露|诉|漏|出 用? 户? 这|你|本|系|些|任 些|的|提|统", "这 些 指|规|提 令|则|示")
	add(tellsHide, "not|never|dont|without|shouldnt|mustnt|to *? tell|telling|inform|warn|admit|confess|acknowledge|say|confirm|show|bring|let *? *? about|that|up|to|whether|why|know|so|it|or", "never|not|dont admit|confess|acknowledge|confirm|speculate", "nothing about", "keep|stay|keeping quiet|silent|mum", "leave|leaves|leaving out that|the|how|any", "not|never to tell|say|admit", "keep|keeps|keeping * *? to myself|yourself|itself|themselves", "pose|posing as", "not|never to? admit|mention that", "look away", "keep|keeping it|this|that|them|these|list|rule|quiet *? to|secret|from myself|yourself|visitors|users|customers|guests|secret|the", "keep this|the|these list|rules|secret|to", "hide|conceal|withhold|downplay|dodge|deflect the|that|this|any|out|how|our|anything|questions|it|your", "pretend to|that|not|you|there|its|i|no", "deny that|having|being|any|knowing|it", "change the subject", "stay|remain|drop in|the character|act", "steer|redirect|push|nudge people|users|customers|guests|them|visitors|the|toward", "dont bring up|it", "unless asked|they|you|pressed|someone", "only if|when they|asked|you|users|guests|customers ask|asks|insist|asked|it|for", "not to|be reveal|bring|mention", "steer them",
		"nichts|nicht davon|über|verraten sagen|erzählen|sagen", "verschweig|verschweige|verschweigen|verheimliche", "sag|sagen nichts|niemandem", "no digas|dile|menciones nada", "sin decir|mencionar", "sans jamais? dire|mentionner", "не говори|сообщай об|о")
	add(tellsStyle, "keep|keeps|limit|each|every|all|your|his|her|the|my answers|answer|replies|reply|responses|response|it|them|tone|messages below|under|to|short|brief|within|in|neutral|concise|friendly|must|at|formal", "under|below|within|most|exceed|than * *? words|sentences|characters|lines|tokens", "in|use a|an * *? tone|voice|style", "tone friendly|neutral|formal|professional|warm|cheerful", "be concise|brief|polite|friendly|terse", "language of the user", "no emoji|emojis|markdown", "answer|greet|reply|respond|speak|write in danish|dutch|italian|portuguese|russian|chinese|japanese|korean|polish|swedish", "answer in|with at? french|german|english|spanish|json|most|two|one|three", "speak|talk|write like|in a|an|the", "moins|menos|weniger de|als|que * mots|palabras|wörter")
	add(tellsHead, "system prompt|message", "system_prompt", "role system content", "initial prompt", "rules only|never|always|answer|you|must", "system you are|must", "system message|prompt you|act|assistant", "rule|rules|persona|instructions|identity|role you|rule|persona|instructions", "persona you|rule|are")
	add(tellsReply, "respond|reply|answer|say|output|print|return|responding|replying|display with|exactly|access", "then|must|always|will|to|please|just say|respond|reply|output|print|answer|display|sage", "i say|answer|reply no|yes|only", "say|says|output|print|respond|reply access|unlucky|no|yes|denied", "for|to escalate|link|hand|refer|redirect to|over|them|it", "hand over|it|them to|over", "tell|send|refer|link|redirect|direct|point them|him|her|people|customers|users|patients|dile|him to|that|the|que", "tell|ask|remind|send the user|customer|caller|patient|them to|that", "escalate to|the|legal|it", "then|otherwise|and reply|answer|respond|hand|send|say", "sage|sag|antworte dass|mit|er|ihm", "dile|diles|diga que|al", "то сказать|скажи", "回 答")
	add(tellsSecret, "password|passphrase|passcode|codeword|keyword is|was|are|equals|i", "access|secret|pass|security|door|magic code|phrase|word|password|key", "the|my|your|correct|real password|passphrase|passcode", "only the word", "密 码", "пароль", "passwort|kennwort", "contraseña|clave", "mot de passe")
	add(tellsOther, "otherwise", "any|all|every|for other input|inputs|text|message|messages|response|case|cases|prompt|thing", "anything|everything else", "andernfalls", "в противном случае", "其 他 任 何")
	add(tellsGranted, "access granted", "access denied")
	add(tellsRefusal, "i|we|and|but cant|cannot|wont|couldnt|wouldnt|shouldnt|dont|didnt", "im|am|are|be|being not? *? unable|able|going|permitted", "im|am|are not allowed|permitted|able", "something|anything i can", "i|we do|will|can|would|could not", "sorry|afraid", "kann|darf|werde *? *? *? *? *? nicht|leider", "leider", "lo siento", "no puedo|podemos|puede", "ne peux|peut|pouvons", "désolé|désolée", "não posso|podemos", "не могу|можем", "我 不|无 能|会|可|法", "抱 歉")
	add(tellsAdvice, "id|would|could|might start|begin with", "start with this|something|the", "replace the", "for a|your|an *? *? *? agent|bot|assistant|prompt", "to|in its|your|the|his instructions", "the article|talk|paper|post|contract|readme|file|book", "followed the|your|all instructions|rules|three|of", "a|an|good|better|your|every|any|each|custom|sample|write|writing|short system? prompt|prompts", "your|a|the chatbot|bot|models|llm|app|application|agents", "system prompt for|has|should|could|is|are|means|that|you|such", "prompt you|we could|can|might|may|should|gave|sent|wrote|asked", "prompts|prompting", "tell|instruct|tells|ask|telling|give the|your|a|an model|models|chatbot|llm|assistant|ai", "an|the|if|which attacker|attackers", "prompt injection|injections|engineering|leak|leaks|leaking|template", "you could|can|might use|write|say|try|start|put", "in the * *? api", "i rewrote|improved|wrote|drafted|shortened|edited|changed|translated your|the|a|you", "heres|is a|an|your *? *? *? prompt|template|draft|example|version", "rewrote|improved|revised *? *? prompt|version", "had been told", "has been told", "its instructions|prompt", "for example|instance", "such as", "agents|claude md", "make|file asks|tells", "un|una|ein|eine|une bon|buen|buena|guter|gutes|bonne prompt|instrucción|consigne|instruction", "系 统 提 示 词 是", "in the imperative", "in a prompt")
	return &p
})
