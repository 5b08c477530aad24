package guard

import (
	_ "embed"
	"math"
	"sync"
)

// A sense is the meaning of a word or phrase in any language. The leakage model weighs which senses
// occur close together, so that "they set me up to push" resembles "I was told to sell".
type sense uint8

const (
	senseSelf   sense = iota // I, me
	senseMine                // my
	senseYou                 // you
	senseMaker               // the makers of a model
	senseTold                // told, given, set up
	senseOrders              // instructions, setup
	senseMust                // must, have to
	senseNot                 // not, never
	senseShun                // avoid, refuse
	senseSay                 // to say, to mention
	senseHide                // secret, keep quiet
	senseUser                // user, customer
	senseBot                 // assistant, bot
	senseRole                // you are, act as
	senseStyle               // words, tone
	senseWhen                // if, when
	senseOnly                // only
	senseAlways              // always
	senseSend                // refer, escalate
	senseSell                // recommend, promote
	senseTool                // call, tool
	senseAbove               // above, before this chat
	senseAdvice              // draft, example, could
	senseYours               // your bot, your prompt
	senseHuman               // boss, doctor, guests
	senseRefuse              // cannot, sorry
	senseThey                // she, they
	senseCount
)

var senses = sync.OnceValue(func() *phrases {
	var p phrases
	add := func(s sense, list ...string) { p.add(int(s), list...) }
	add(senseSelf, "i|im|ive|me|myself", "ich|mir|mich", "yo|me", "je|j|m|moi", "io|mi", "eu", "ik|mij", "mnie|mi", "я|мне|меня", "我", "私", "저|저는|제게|저에게|나는", "jag|mig", "мені|я", "मुझे|मैं", "ben|bana", "أنا")
	add(senseMine, "my|mine", "mein|meine|meinen|meiner|meinem", "mi|mis", "mon|ma|mes", "mio|mia|mie|miei", "meu|minha|meus|minhas", "mijn", "mój|moja|moje|moich", "мой|моя|мои|моих", "我 的", "私 の", "제|나의|저의", "min|mina|mitt", "мої|мій|моя", "मेरे|मेरा|मेरी", "talimatlarım|kurallarım|ayarlarım", "تعليماتي|قواعدي")
	add(senseYou, "you|youre|youll|your", "du|dir|dich|sie|ihnen|ihr", "tú|tu|usted|te", "vous|toi|te", "voi|ti", "você|tu", "je|jij|u", "ty|ci|cię", "ты|вы|тебе|вам", "你|您", "あ な た", "너는|당신은|당신", "dig|er", "ти|ви", "तुम|आप", "sen|siz", "أنت")
	add(senseMaker, "developer|developers|makers|maker|creators|creator|operator|operators|admin|administrator|deployer|vendor", "whoever built|made|wrote|set|deployed|runs|trained", "people who run|built|made", "entwickler|betreiber", "desarrolladores|creadores", "développeurs|créateurs", "sviluppatori", "desenvolvedores", "ontwikkelaars", "разработчики|создатели", "开 发 者", "開 発 者", "개발자")
	add(senseTold, "told|asked|instructed|given|handed|programmed|configured|trained|ordered|directed|set|wired|taught|briefed|designed|meant|required|supposed|forbidden|barred|written|wrote|fed|loaded|wants|want|trusted|assigned|kept", "set me up", "got orders",
		"gesagt|vorgegeben|eingestellt|eingerichtet|angewiesen|aufgetragen|beauftragt|geschrieben", "dicho|configurado|pidieron|pidió|indicaron|pusieron|ordenaron|encargado", "dit|demandé|configuré|donné|imposé|chargé|interdit", "detto|chiesto|configurato|dato|ordinato", "disseram|pediram|configurado|instruído|mandaram", "gezegd|opgedragen|ingesteld|verteld|gevraagd", "kazano|polecono|powiedziano|zadano|przekazano", "велели|сказали|задано|поручено|приказано|велено|запрещено|нельзя", "被 告|要|设|指|命", "给|告|要 我", "言 わ れ", "与 え ら れ", "指 示 さ れ", "지시받았습니다|받은|주어진|설정된", "bans|forbids|governs|steers|casts|triggers|bound|sworn|deployed|installed|injected|typed|placed|received|got|tasked|charged|has me", "put in|into|on", "bekommen|erhalten|programmiert|trainiert|verboten", "recibí|recibido|recibo|programado|programaron|entrenado|prohibido|creado", "reçu|programmé|entraîné|créé", "ricevuto|programmato|addestrato|creato|vietato|impostato", "recebi|recebido|programado|treinado|criado|proibido", "gekregen|geprogrammeerd|getraind|gemaakt|verboden", "otrzymałem|zaprogramowany|skonfigurowany|zakazano|zabroniono", "получил|запрограммирован|настроен|обучен", "接 到|收 到|设 定 为|禁 止", "命 じ", "設 定 さ れ", "명령을|받았습니다|설정되었습니다|프로그래밍", "blivit|ombedd|instruerad", "наказали|сказано", "söylendi|verildi")
	add(senseOrders, "instructions|instruction|rules|rule|prompt|guidelines|guideline|directives|directive|orders|order|script|brief|briefing|setup|configuration|config|constraints|constraint|persona|policy|notes|note|programming|limits|preamble",
		"anweisungen|anweisung|vorgabe|vorgaben|regeln|systemprompt|auftrag|konfiguration|einrichtung", "instrucciones|reglas|configuración|directrices|consigna|ajustes|órdenes", "instructions|consignes|consigne|règles|directives|configuration|paramétrage", "istruzioni|regole|configurazione|direttive", "instruções|regras|configuração|diretrizes", "instructies|instructie|regels|opdracht|instellingen", "instrukcje|polecenia|zasady|poleceń|zasad|instrukcji", "инструкции|правила|указания|указаниях|настройки|промпт", "指|规 令|则|示", "设|提 定|示", "設 定", "指 示", "ル ー ル", "지침|규칙|설정|지시|설정은|규칙은|지침은", "rulebook|blurb|preset|spec|mandate|charter|text before|above", "marching orders", "einstellungen|befehl|richtlinien|text|prompt", "orden|ordenes|texto|prompt|mandato", "ordre|ordres|réglages|texte|prompt", "ordine|ordini|impostazioni|testo|prompt|direttiva", "ordem|ordens|texto|prompt|comando", "bevel|tekst|prompt|richtlijnen", "ustawienia|polecenie|rozkaz|tekst|prompt|konfiguracja", "настройка|приказ|текст|правило|инструкция", "命 令", "配 置", "文 字", "提 示 词", "文 章", "설정|명령|글은|글을|프롬프트", "instruktioner|regler|texten", "інструкції|правила|текст", "निर्देश|नियम", "talimat|talimatlar|metni|metin|kurallar", "التعليمات|القواعد|النص")
	add(senseMust, "must|should|shall|have|has|need|ought|obliged|bound|may|mustnt|shouldnt|allowed|permitted", "muss|soll|darf|sollst|musst|darfst|sollen", "debo|debes|tengo|debe|puedo", "dois|doit|devez|devrais|peux", "devo|devi|deve|posso", "devo|deve|tenho", "moet|mag|moeten", "mam|muszę|masz|musisz|wolno", "должен|должна|обязан|могу|можно", "必|应|不 须|该|得", "い け ま せ ん", "해야|합니다|안")
	add(senseNot, "not|never|no|dont|without|nothing|nobody|cannot|mustnt|shouldnt|cant|neither|nor|none", "nicht|nie|niemals|kein|keine|keinen|nichts|ohne", "no|nunca|jamás|nada|sin|nadie", "ne|pas|jamais|rien|sans|n", "non|mai|nulla|senza", "não|nunca|nada|sem|jamais", "niet|nooit|geen|niets", "nie|nigdy|nic|nikomu|bez", "не|никогда|ничего|никому|нельзя|без", "不|勿|别", "な い", "ま せ ん", "마세요|마라|않습니다|절대|말라고", "aldrig|inte|ingen", "ніколи|не", "मत|नहीं|कभी", "asla|hiç|değil", "لا|أبدا|لن")
	add(senseShun, "avoid|refuse|decline|ignore|dodge|skip|deflect|evade|sidestep|omit|deny|withhold|reject|conceal|forbid|banned|forbidden|exclude|steer|ban|limits", "vermeide|vermeiden|verweigere|ablehnen|ignoriere|verschweigen|schweigen", "evita|evitar|rechaza|rechazar|ignora|callar", "évite|éviter|refuse|refuser|taire|évoque|évoquer", "evita|evitare|rifiuta|tacere", "evite|evitar|recuse|recusar|calar", "vermijd|weiger|zwijgen", "unikaj|odmawiaj|milczeć|ignoruj", "избегай|отказывайся|молчать|игнорируй", "避|拒 免|绝", "禁 止")
	add(senseSay, "say|says|tell|tells|mention|mentions|discuss|talk|speak|reveal|disclose|share|admit|confirm|answer|answers|reply|replies|respond|response|explain|comment|name|quote|bring|show|repeat|state|describe|acknowledge|list|telling|saying",
		"sag|sage|sagen|sprich|sprechen|spreche|antworte|antworten|nenne|nennen|erwähne|erwähnen|verrate|verraten|rede|reden|zeigen|anspreche", "decir|digas|di|habla|hablar|hables|menciona|mencionar|menciones|responde|responder|revelar|reveles|mostrar|dar|des", "dire|dis|parler|parle|parlez|mentionner|mentionne|réponds|répondez|révéler|révèle|révélez|montrer", "dire|parlare|parla|parlo|menzionare|rispondi|rivelare|mostrare", "dizer|diga|falar|fale|mencionar|responda|responder|revelar|revele|mostrar", "zeg|zeggen|praat|praten|noem|noemen|antwoord|antwoorden|vertel|tonen", "mów|mówić|odpowiadaj|odpowiadać|ujawniaj|ujawniać|podawaj|podawać|pokazywać|wspominaj", "говори|говорить|отвечай|отвечать|сообщай|раскрывай|упоминай|показывать|называй|показывай", "谈|说|答|提|告|透|回|泄", "話|答|教|伝", "말하지|대답하세요|공개하지|대답|말해|말|알려주지", "nämn|visa|svara|tala", "згадуй|показуй|відповідай", "बात|बताओ|बताना", "söz|cevap|konuş|söyle", "تذكر|تكشف|تقل|أجب")
	add(senseHide, "secret|secrets|confidential|hidden|hide|quiet|mum|hush|private|internal|silent|vague|undisclosed", "keep|keeping|kept this|it|that|them|quiet|secret|silent|from", "to myself|yourself|itself", "between us|me", "let on", "pretend|pretending", "off limits", "geheim|vertraulich|intern|verborgen", "secreto|confidencial|oculto|interno", "secret|secrètes|confidentiel|caché|interne", "segreto|riservato|segrete", "segredo|confidencial|secreto", "geheim|vertrouwelijk", "tajne|poufne|tajemnicy", "секрет|тайне|секрете|конфиденциально", "保|秘|机 密", "秘 密", "내 부", "비밀|비밀입니다|비밀로", "invisible|leak|leaks|unseen|silently|secretly|stays hidden|quiet|here|secret", "保 密", "gizli", "hemlig|hemligt", "таємно|секреті", "سر|سرية", "गुप्त")
	add(senseUser, "user|users|customer|customers|client|clients|visitor|visitors|guest|guests|caller|callers|student|students|patient|patients|member|members|shopper|shoppers|reader|readers|player|players|prospect|prospects|tenant|tenants|subscriber|subscribers|passenger|passengers|traveler|travelers|buyer|buyers|rider|riders", "someone|anyone|somebody|anybody|people|they|asked", "nutzer|nutzern|kunde|kunden|besucher|patient|benutzer|jemand", "usuario|usuarios|cliente|clientes|paciente|alguien", "utilisateur|utilisateurs|client|clients|lecteur|lecteurs|quelqu|patient", "utente|utenti|cliente|clienti|visitatore", "usuário|usuários|cliente|clientes|paciente|alguém", "gebruiker|gebruikers|klant|klanten|iemand|bezoeker", "użytkownik|użytkownika|klient|klienta|gość|ktoś", "пользователь|пользователя|пользователю|клиент|клиента|кто", "用|客|顾 户|人|客", "お 客", "ユ ー ザ", "사용자|고객|손님")
	add(senseBot, "assistant|assistants|bot|chatbot|agent|ai|model|helper|concierge|copilot|tutor|advisor|guide|coach|persona|program|robot", "assistent|assistentin|berater|beraterin|helfer", "asistente|asesor|guía", "assistant|assistante|conseiller|conseillère", "assistente|consulente", "assistente|consultor", "assistent|adviseur", "asystent|asystentem|doradca|doradcą", "помощник|ассистент|консультант", "助 手", "客 服", "ア シ ス タ ン ト", "案 内", "상담원|상담원입니다|비서|도우미", "assistent", "помічник", "सहायक", "asistanı|asistanısın", "مساعد", "顾 问", "相 談 員")
	add(senseRole, "you are|re|were a|an|the", "youre a|an|the", "you are|act|play|serve|speak|answer|reply as", "i am|im a|an|the", "im|am|are|youre|is named|called", "your|my name|role|job|goal|task|persona|purpose is", "you will play|act|help", "you help|assist|support|advise|moderate|serve", "act|acts|acting|speak|stand|pose|respond as|in|like", "du bist|hilfst|berätst", "sie sind", "eres|actúa|ayuda", "tu es", "vous êtes|aidez", "sei l|un|una|il|la", "você é", "je|jij bent|helpt", "jesteś", "ты|вы", "你 是", "あ な た は", "너는|당신은")
	add(senseStyle, "words|word|sentence|sentences|lines|characters|paragraph|tone|concise|brief|briefly|short|formal|friendly|polite|cheerful|style|emoji|emojis|markdown|bullet|json|language|rhyme|character|first name|slang|length|audience", "kurz|sätzen|sätze|wörter|freundlich|höflich|ton", "frases|frase|breve|palabras|tono|amable", "phrases|brièvement|mots|ton|bref", "frasi|breve|parole|tono", "frases|palavras|breve|simpatia|tom", "zinnen|kort|woorden|toon", "krótko|zdań|słów|uprzejmie", "кратко|слов|предложений|вежливо", "简|句|字", "短 く", "짧게|정중하게", "temperament|scope|topics|taboo|limit|mood|welsh|danish|latin|register|voice", "kort", "коротко", "kısa", "语 气", "口 調", "말투", "字 以 内")
	add(senseWhen, "if|when|whenever|unless|once|until|otherwise|fallback|else", "wenn|falls|sobald", "si|cuando", "si|quand|lorsque", "se|quando", "se|quando", "als|wanneer", "jeśli|gdy|kiedy", "если|когда", "如|若 果", "も し", "면")
	add(senseOnly, "only|solely|just|exclusively|nothing but", "nur", "solo|sólo|únicamente", "seulement|uniquement", "solo|soltanto", "só|apenas|somente", "alleen", "tylko", "только", "只|仅", "だ け", "만")
	add(senseAlways, "always|every|each|first", "immer|zuerst", "siempre", "toujours", "sempre", "sempre", "altijd", "zawsze", "всегда", "总|始", "必 ず", "항상")
	add(senseSend, "escalate|escalates|refer|redirect|route|hand|pass|transfer|forward|send|point|direct|escalation|hotline|human|staff|manager", "verweise|weiterleiten|verweisen|übergib", "pásalo|deriva|derivar|transfiere|humano", "transfère|transférer|renvoie|redirige", "mandalo|trasferisci", "encaminhe|transfira", "verwijs|doorverwijzen|stuur", "przekaż|skieruj|odsyłaj", "переведи|направляй|отправляй", "转 给|接|人", "상담원")
	add(senseSell, "recommend|recommends|promote|upsell|push|sell|praise|plug|nudge|suggest|offer|pitch|rank|steer|flatter|favor|highlight|encourage", "empfehle|empfehlen|bewerbe|loben|anbieten", "recomienda|recomendar|vender|elogie|ofrecer", "recommande|recommander|proposer|vanter", "raccomanda|consigliare|vendere|lodare", "recomende|recomendar|vender|elogiar", "aanbevelen|verkopen|prijzen", "polecaj|polecać|sprzedawać|chwalić", "рекомендуй|продавать|хвалить|предлагай", "推|称 荐|赞", "勧 め", "추천|칭찬")
	add(senseTool, "tool|tools|function|functions|call|calls|api|parameters|search|browse", "knowledge cutoff", "current date", "image input", "cutoff", "tools are|is", "my functions|tools")
	add(senseAbove, "above|verbatim|preceding|preceded|beginning|top|initial|initially", "before you|we|our|your|the|this", "word for word", "my|this context|window", "comes|came|starts|begins|reads|goes|says|stands", "vor diesem|unserem", "steht|lautet|lauten", "antes de", "dice|indica|empieza", "avant notre|ce|cette", "précède", "prima di", "dice|inizia", "antes de|da", "diz|começa", "boven|luidt|staat", "powyżej|brzmią|brzmi", "выше|написано", "以 上|下", "如 下", "以 下", "this window|context|chat|conversation", "opening|closing line", "before us", "lyder", "каже|говорять", "gesprek zegt", "przed rozmową", "перед чатом", "对 话 之 前", "会 話 の 前", "대화", "şöyle|şunlardır", "تقول")
	add(senseAdvice, "draft|example|examples|template|sample|suggest|suggests|could|would|id|might|typical|version|shortened|rewrote|improved|test|change|replace|write|wrote|rewrite|prompt|paper|researchers|attacker|article|such as", "want me to", "you asked|sent|wanted|pasted", "as requested", "translate it", "vorschlag|beispiel|entwurf|könntest|schlage", "ejemplo|puedes|borrador|sugiero", "exemple|brouillon|pouvez|pourriez|propose", "esempio|bozza", "exemplo|rascunho", "voorbeeld|concept", "przykład|szkic", "пример|черновик", "可 以", "例|示 如|例", "例", "예시|예시입니다|예를")
	add(senseYours, "your bot|agent|chatbot|prompt|app|assistant|model|game|story|text|letter|schema|code|landlord|bank|doctor|boss|instructions|rules|own", "for a|your bot|agent|chatbot|app", "deinen|deinem|ihren bot|chatbot|prompt", "tu|su bot|chatbot|prompt", "votre|ton chatbot|bot|prompt", "tuo|suo bot", "seu|teu bot", "je|jouw bot", "twojego bota", "вашего бота", "您|你 的", "ボ ッ ト", "봇을")
	add(senseHuman, "boss|doctor|nurse|mother|father|teacher|lawyer|judge|jury|coach|landlord|employees|employee|staff|kids|children|child|hospital|company|ministry|police|guard|guards|monks|butler|host|team|board|recipe|oven|flour|medication|pill|school|game|players|club|museum|trip|contract|tenant", "we|us|our", "arzt|chef|uns|wir", "médico|jefe", "médecin|docteur|chef|nous", "medico", "médico", "dokter|wij", "lekarz", "врач|мы", "医 生", "医 者", "의사가")
	add(senseRefuse, "cant|cannot|wont|couldnt|unable|sorry|afraid", "rather not", "not able|allowed", "kann|darf|leider|werde", "puedo|siento", "peux|désolé", "posso|dispiace", "desculpe", "kan|helaas", "mogę|niestety|przykro", "могу|жаль|извините", "抱 歉", "无 法", "申 し 訳", "できません", "죄송합니다|없습니다")
	add(senseThey, "he|she|him|her|his|their|them|they|it", "er|ihm|ihn", "él|ella", "il|elle|lui", "lui|lei", "ele|ela", "hij|zij", "on|ona", "он|она|они", "他|她")
	return &p
})

// leakBuckets is the number of distinct features.
const leakBuckets = 1 << 14

// A senseReader turns words into features.
type senseReader struct {
	history
	prev   uint32
	recent [8]struct {
		s  sense
		at int
	}
	seen  int // number of senses in this sentence
	words int
	emit  func(uint16)
}

// mixed returns a hash of two numbers. It is the same on every machine.
func mixed(a, b uint32) uint32 {
	h := a*0x9e3779b1 ^ b
	h ^= h >> 15
	h *= 0x85ebca6b
	return h ^ h>>13
}

// add emits the feature h of a sort.
func (r *senseReader) add(sort, h uint32) {
	h = mixed(sort, h)
	i := uint16((h ^ h>>16) % leakBuckets)
	r.emit(i)
	if sort >= bySense { // senses count twice: words depend more on the topic
		r.emit(i)
	}
}

// The sorts of features.
const (
	byWord uint32 = iota + 1
	byPair
	bySense
	bySenses
)

// sensesApart is the largest distance in words between two related senses.
const sensesApart = 10

func (r *senseReader) word(w []byte) {
	r.push(w)
	r.words++
	h := uint32(2166136261)
	for _, b := range w[:min(len(w), 7)] { // a prefix of the word
		h = (h ^ uint32(b)) * 16777619
	}
	r.add(byWord, h)
	r.add(byPair, mixed(r.prev, h))
	r.prev = h
	senses().match(&r.history, func(id int) {
		r.add(bySense, uint32(id))
		for k := range min(r.seen, len(r.recent)) {
			if o := &r.recent[k]; r.words-o.at <= sensesApart && int(o.s) != id {
				r.add(bySenses, uint32(o.s)<<8|uint32(id))
			}
		}
		r.recent[r.seen%len(r.recent)].s, r.recent[r.seen%len(r.recent)].at = sense(id), r.words
		r.seen++
	})
}

// sentence ends a sentence: phrases and pairs do not cross its end.
func (r *senseReader) sentence() {
	r.n, r.seen, r.prev = 0, 0, 0
}

// leakModel is a logistic regression over hashed features: its bias, the scale of the weights, and
// one byte per weight. TestLeakModel -update trains it.
//
//go:embed leak.model
var leakModel []byte

// A leakSense scores the last words of an answer.
type leakSense struct {
	senseReader
	sum, n int
	last   [32]struct{ sum, n, at int } // sums of the last sentences, and the word count at the start of each
	ended  int
	began  int
}

func newLeakSense() *leakSense {
	s := &leakSense{}
	s.emit = func(i uint16) {
		s.sum += int(int8(leakModel[leakHeader+int(i)]))
		s.n++
	}
	return s
}

// leakHeader is the number of bytes before the weights.
const leakHeader = 4

// senseWithin is the number of words that are scored together.
const senseWithin = 80

// end ends a sentence and returns how likely the last ones repeat instructions, 0 to 1. said is the
// score of the tells.
func (s *leakSense) end(said float64) float64 {
	x := s.logit() + tellsCount*said - leakThreshold
	return 1 / (1 + math.Exp(-x)*0.3/0.7) // 0.7, the default that rejects, at x = 0
}

// The weight of the tells beside the model, and the sum at which an answer is rejected. They were
// chosen on rows that were not in the training data.
const (
	tellsCount    = 2
	leakThreshold = 1.25
)

// logit ends a sentence and returns the score of the last ones.
func (s *leakSense) logit() float64 {
	if s.n > 0 {
		s.last[s.ended%len(s.last)] = struct{ sum, n, at int }{s.sum, s.n, s.began}
		s.ended++
	}
	s.sum, s.n, s.began = 0, 0, s.words
	s.sentence()
	sum, n := 0, 0
	for k := range min(s.ended, len(s.last)) {
		l := &s.last[(s.ended-1-k)%len(s.last)]
		if k > 0 && s.words-l.at > senseWithin {
			break
		}
		sum, n = sum+l.sum, n+l.n
	}
	bias, scale := leakScale()
	return bias + scale*float64(sum)/math.Sqrt(float64(n)+20)
}

// leakScale returns the bias and the scale of the model from its header, where both are in
// thousandths.
func leakScale() (bias, scale float64) {
	at := func(i int) float64 { return float64(int16(uint16(leakModel[i])<<8|uint16(leakModel[i+1]))) / 1000 }
	return at(0), at(2)
}
