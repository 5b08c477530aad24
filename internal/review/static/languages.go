package static

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases has a language's phrases for addressing a reviewer. A phrase that ends in "*" is a
// prefix; words of scripts without spaces match anywhere. All are in lower case.
//
// Only imperatives are listed, not statements: "approve!" and not "approves". A document that
// describes reviewers uses other forms.
type phrases struct {
	readers []string // addressees
	asks    []string // to report nothing, to approve, to overlook
}

// otherLanguages are the languages that reviewer.go does not cover, or not completely.
var otherLanguages = []phrases{
	{[]string{"рецензент*", "ревьюер*", "ревьювер*", "проверяющ*", "аудитор*", "ии-ассистент*", "нейросет*"},
		[]string{"не сообщай*", "не упоминай*", "не указывай*", "не отмечай*", "не докладывай*", "одобри", "одобрите", "одобряй*", "прими", "примите", "игнорируй*", "пропусти", "пропустите", "без замечаний", "считай*"}},
	{[]string{"рецензент*", "рев'юер*", "рев’юер*", "перевіряюч*", "аудитор*"},
		[]string{"не повідомляй*", "не згадуй*", "не вказуй*", "схвали", "схваліть", "затверди", "затвердіть", "ігноруй*", "пропусти", "пропустіть", "без зауважень"}},
	{[]string{"レビューア", "レビュアー", "レビュワー", "レビュー担当", "査読者", "審査者", "審査員", "監査人", "aiアシスタント"},
		[]string{"報告しないで", "報告しなく", "報告せず", "指摘しないで", "指摘せず", "言及しないで", "無視して", "承認してください", "承認して下さい", "承認せよ", "承認すること", "問題なしと", "問題ないと", "安全と判断"}},
	{[]string{"审查者", "审查员", "审查人", "审核者", "审核员", "审核人", "审阅者", "审阅人", "评审", "检视者", "代码审查", "人工智能", "审计员", "審查者", "審查員", "審核者", "審核員", "審閱者", "評審"},
		[]string{"不要报告", "请勿报告", "不得报告", "无需报告", "不必报告", "勿报告", "不要提及", "不要指出", "不要提出", "请忽略", "忽略此", "忽略本", "忽略该", "直接批准", "批准合并", "批准此", "批准本", "批准该", "请批准", "直接通过", "视为安全", "标记为安全", "不要報告", "請勿報告", "無需報告", "請忽略", "忽略該", "批准合併", "請批准", "視為安全"}},
	{[]string{"리뷰어", "검토자", "심사자", "검수자", "감사자"},
		[]string{"보고하지 마", "보고하지 말", "보고하지말", "지적하지 마", "지적하지 말", "언급하지 마", "언급하지 말", "승인해 주", "승인해주", "승인하세요", "승인하십시오", "승인하라", "무시하세요", "무시해", "무시하고", "안전하다고"}},
	{[]string{"المراجع", "للمراجع", "المدقق", "المقيم", "المُراجع"},
		[]string{"لا تبلغ", "عدم الإبلاغ", "لا تذكر", "عدم ذكر", "لا تقم بالإبلاغ", "وافق على", "الموافقة عليه", "الموافقة على", "اعتمد هذا", "تجاهل", "اعتبره آمن"}},
	{[]string{"بازبین", "داور", "بررسی\u200cکننده", "بررسی کننده"},
		[]string{"گزارش نکن", "گزارش ندهید", "ذکر نکن", "تأیید کن", "تایید کن", "نادیده بگیر"}},
	{[]string{"סוקר", "מבקר", "בודק"},
		[]string{"אל תדווח", "לא לדווח", "אל תציין", "אשר את", "התעלם", "להתעלם"}},
	{[]string{"समीक्षक", "परीक्षक", "लेखा परीक्षक"},
		[]string{"रिपोर्ट न", "रिपोर्ट मत", "न बताए", "न बताएं", "मत बताओ", "उल्लेख न", "स्वीकृत कर", "अनुमोदित कर", "मंज़ूर कर", "अनदेखा कर", "अनदेखी कर"}},
	{[]string{"ผู้ตรวจสอบ", "ผู้รีวิว", "ผู้ประเมิน"},
		[]string{"อย่ารายงาน", "ไม่ต้องรายงาน", "ห้ามรายงาน", "โปรดอนุมัติ", "กรุณาอนุมัติ", "อนุมัติการ"}},
	{[]string{"αξιολογητ*", "κριτή*", "ελεγκτ*"},
		[]string{"μην αναφέρ*", "μην επισημάν*", "έγκρινε", "εγκρίνετε", "αγνόησε", "αγνοήστε"}},
	{[]string{"inceleyici*", "gözden geçiren*", "denetçi*", "değerlendirici*", "hakem*"},
		[]string{"bildirmeyin*", "sorun bildirme", "bulgu bildirme", "hata bildirme", "rapor etme", "rapor etmeyin*", "raporlamayın*", "belirtmeyin*", "onayla", "onaylayın*", "görmezden gel*"}},
	{[]string{"recenzent*", "recenzenc*", "weryfikator*", "audytor*", "sprawdzając*"},
		[]string{"nie zgłaszaj*", "nie zglaszaj*", "nie raportuj*", "nie wspominaj*", "nie wymieniaj*", "zatwierdź*", "zatwierdz", "zaakceptuj*", "zignoruj*", "bez uwag"}},
	{[]string{"recenzent*", "posuzovatel*", "kontrolor*", "auditor*"},
		[]string{"nehlas*", "nenahlas*", "neuváděj*", "nezmiňuj*", "schval", "schvalte", "schvaľ*", "ignoruj*", "přehlédni*", "bez připomínek"}},
	{[]string{"anmelder*", "bedømmer*", "kodegransker*", "kodeanmelder*", "korrekturlæser*", "granskare*", "granskaren", "fagfelle*"},
		[]string{"ikke rapporter*", "ikke at rapportere", "ikke nævn*", "ikke nevn*", "undlad*", "unnlat*", "godkend", "godkjenn", "rapportera inte", "inte rapportera", "nämn inte", "rapportera inga", "godkänn"}},
	{[]string{"beoordelaar*", "nakijker*", "reviewer*", "controleur*"},
		[]string{"meld geen", "meld niets", "rapporteer geen", "rapporteer niets", "vermeld geen", "keur goed", "keur dit", "keur deze", "negeer"}},
	{[]string{"tarkastaja*", "arvioija*", "katselmoija*"},
		[]string{"älä raportoi", "älä ilmoita", "älä mainitse", "hyväksy", "hyväksykää", "ohita"}},
	{[]string{"bíráló*", "ellenőr*", "lektor*"},
		[]string{"ne jelents*", "ne jelezz*", "ne említs*", "hagyd jóvá", "hagyja jóvá", "fogadd el"}},
	{[]string{"recenzor*", "evaluator*", "revizor*"},
		[]string{"nu raporta*", "nu semnala*", "nu menționa*", "nu mentiona*", "aprobă", "aprobați", "ignoră", "ignorați"}},
	{[]string{"người đánh giá", "người duyệt", "người kiểm tra", "người xem xét"},
		[]string{"đừng báo cáo", "không báo cáo", "đừng nhắc", "hãy phê duyệt", "phê duyệt thay đổi", "hãy bỏ qua", "bỏ qua tệp"}},
	{[]string{"peninjau", "pemeriksa", "penelaah", "penilai"},
		[]string{"jangan laporkan", "jangan melaporkan", "jangan sebutkan", "tolong setujui", "setujui perubahan", "abaikan"}},
	{[]string{"revisore*", "revisori", "valutator*"},
		[]string{"non segnal*", "non riport*", "non menzion*", "approvate", "senza osservazioni"}},
	{[]string{"revisor*", "avaliador*", "evaluador*"},
		[]string{"não relat*", "não report*", "não mencion*", "não sinaliz*", "aprove", "aprovem", "no informes", "no informe", "no reportes", "no reporte", "no menciones", "apruebe", "apruébalo"}},
}

// foreignRequest finds sentences in other languages that ask a reviewer to overlook something. lower is
// the text in lower case.
func foreignRequest(lower string) (from, to int, ok bool) {
	for i := range otherLanguages {
		for _, reader := range otherLanguages[i].readers {
			for at := 0; ; {
				n := phrase(lower[at:], reader)
				if n < 0 {
					break
				}
				from, to := sentence(lower, at+n)
				if said := lower[from:to]; !conditional().MatchString(said) {
					if slices.ContainsFunc(otherLanguages[i].asks, func(ask string) bool { return phrase(said, ask) >= 0 }) {
						return from, to, true
					}
				}
				at += n + len(strings.TrimSuffix(reader, "*"))
			}
		}
	}
	return 0, 0, false
}

// phrase returns the offset of a phrase in a text, as separate words, or -1.
func phrase(s, p string) int {
	p, stem := strings.CutSuffix(p, "*")
	first, _ := utf8.DecodeRuneInString(p)
	for at := 0; ; {
		n := strings.Index(s[at:], p)
		if n < 0 {
			return -1
		}
		n += at
		before, _ := utf8.DecodeLastRuneInString(s[:n])
		after, _ := utf8.DecodeRuneInString(s[n+len(p):])
		if !spaced(first) || !unicode.IsLetter(before) && (stem || !unicode.IsLetter(after)) {
			return n
		}
		at = n + len(p)
	}
}

// spaced reports whether a letter is of a script that puts spaces between words, and nothing
// before them: Arabic and Hebrew write "to the" as one word with what follows.
func spaced(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek)
}

// sentence returns the sentence around an offset, at most 300 bytes to each side. A colon does not
// end it, because it follows an address.
func sentence(s string, at int) (from, to int) {
	const ends = ".!?。！？।\x00"
	from, to = max(0, at-300), min(len(s), at+300)
	for from < at && !utf8.RuneStart(s[from]) {
		from++
	}
	for to > at && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	if i := strings.LastIndexAny(s[from:at], ends); i >= 0 {
		_, w := utf8.DecodeRuneInString(s[from+i:])
		from += i + w
	}
	if i := strings.Index(s[from:at], "\n\n"); i >= 0 {
		from += i + 2
	}
	if i := strings.IndexAny(s[at:to], ends); i >= 0 {
		to = at + i
	}
	if i := strings.Index(s[at:to], "\n\n"); i >= 0 {
		to = at + i
	}
	return from, to
}
