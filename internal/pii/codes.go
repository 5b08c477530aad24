package pii

import "cmp"

// A code is a national number of digits alone, which counts only after a word that names it.
type code struct {
	detail string
	digits []int // possible numbers of digits
	ok     func(d []byte) bool
	words  []string
}

// codes lists the codes. ok is nil for a code without a check.
var codes = [...]code{
	{korea, []int{13}, func(d []byte) bool { _, ok := rrn(d); return ok }, named[korea]}, // also the form of milliseconds since 1970
	{"pl-pesel", []int{11}, pesel, []string{"pesel"}},
	{brazil, []int{11}, cpf, named[brazil]},
	{russia, []int{11}, snils, named[russia]},
	{"ru-inn", []int{10, 12}, inn, []string{"инн", "inn"}},
	{"in-aadhaar", []int{12}, aadhaar, []string{"aadhaar", "aadhar", "आधार", "uidai"}},
	{"id-nik", []int{16}, nik, []string{"nik", "ktp", "nomor induk kependudukan"}},
	{pakistan, []int{13}, nil, named[pakistan]},
	{"bd-nid", []int{10, 13, 17}, nil, []string{"nid", "এনআইডি", "জাতীয় পরিচয়"}},
	{"ng-nin", []int{11}, nil, []string{"nin", "national identification number"}},
	{"de-idnr", []int{11}, taxID, []string{"steuer-id", "steuerid", "steueridentifikationsnummer", "steuer-identifikationsnummer", "identifikationsnummer", "idnr", "german tax id"}},
	{"nl-bsn", []int{9}, sum(11, 9, 8, 7, 6, 5, 4, 3, 2, -1), []string{"bsn", "burgerservicenummer", "sofinummer"}},
	{"tr-tckn", []int{11}, tckn, []string{"kimlik", "tckn", "t.c", "tc no"}},
	{"ca-sin", []int{9}, luhn, []string{"social insurance", "assurance sociale", "sin", "nas"}},
	{"au-tfn", []int{9}, sum(11, 1, 4, 3, 7, 5, 8, 6, 9, 10), []string{"tfn", "tax file number"}},
	{"jp-my-number", []int{12}, myNumber, []string{"マイナンバー", "個人番号", "my number"}},
	{"za-id", []int{13}, func(d []byte) bool { return born(d) && luhn(d) }, []string{"id", "id number", "identity number", "rsa id"}},
	{"se-personnummer", []int{10, 12}, func(d []byte) bool { d = d[len(d)-10:]; return born(d) && luhn(d) }, []string{"personnummer", "samordningsnummer"}},
	{"no-fodselsnummer", []int{11}, birthNumber, []string{"fødselsnummer", "fodselsnummer", "personnummer", "fnr"}},
	{"dk-cpr", []int{10}, func(d []byte) bool { return day(two(d[2:]), two(d)) }, []string{"cpr", "cpr-nummer", "personnummer"}},
	{"be-national", []int{11}, belgian, []string{"rijksregisternummer", "registre national", "numéro national", "niss", "insz"}},
	{"ch-ahv", []int{13}, func(d []byte) bool {
		return two(d) == 75 && d[2] == '6' && sum(10, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1)(d)
	},
		[]string{"ahv", "avs", "ahv-nr", "ahv-nummer", "sozialversicherungsnummer"}},
	{"at-svnr", []int{10}, sum(11, 3, 7, 9, -1, 5, 8, 4, 2, 1, 6), []string{"sozialversicherungsnummer", "svnr", "sv-nummer", "versicherungsnummer"}},
	{"pt-nif", []int{9}, portuguese, []string{"nif", "contribuinte", "número fiscal"}},
	{"ro-cnp", []int{13}, func(d []byte) bool {
		return born(d[1:]) && weighed(d, 2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)%11%10 == int(d[12]-'0')
	}, []string{"cnp", "cod numeric personal"}},
	{"cz-rodne-cislo", []int{9, 10}, nil, []string{"rodné číslo", "rodne cislo", "rodné číslo je"}},
	{"ua-rnokpp", []int{10}, func(d []byte) bool { return (weighed(d, -1, 5, 7, 9, 4, 6, 10, 5, 7)%11+11)%11%10 == int(d[9]-'0') }, []string{"рнокпп", "іпн", "ідентифікаційний код"}},
	{"il-id", []int{9}, luhn, []string{"תעודת זהות", "ת.ז", "מספר זהות", "teudat zehut", "israeli id"}},
	{"ar-cuil", []int{11}, sum(11, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1), []string{"cuil", "cuit"}},
	{"ar-dni", []int{7, 8}, nil, []string{"dni"}},
	{"co-cedula", []int{8, 10}, nil, []string{"cédula", "cedula"}},
	{"th-id", []int{13}, func(d []byte) bool {
		return (11-weighed(d, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10 == int(d[12]-'0')
	}, []string{"บัตรประชาชน", "ตัวประชาชน", "thai id"}},
	{"vn-cccd", []int{12}, nil, []string{"cccd", "căn cước", "cmnd", "chứng minh"}},
	{"my-nric", []int{12}, born, []string{"mykad", "nric", "ic", "kad pengenalan"}},
}

// sum returns a check that the sum of the digits, each times its weight, is a multiple of m.
func sum(m int, weights ...int) func(d []byte) bool {
	return func(d []byte) bool { return weighed(d, weights...)%m == 0 }
}

// born reports whether digits begin with a date of birth: year, month and day.
func born(d []byte) bool { return day(two(d[2:]), two(d[4:])) }

// taxID checks the 11 digits of a German tax number.
func taxID(d []byte) bool {
	product := 10
	for _, b := range d[:10] {
		n := cmp.Or((int(b-'0')+product)%10, 10)
		product = n * 2 % 11
	}
	return d[0] != '0' && (11-product)%10 == int(d[10]-'0')
}

// tckn checks the 11 digits of a Turkish identity number.
func tckn(d []byte) bool {
	odd, even := weighed(d, 1, 0, 1, 0, 1, 0, 1, 0, 1), weighed(d, 0, 1, 0, 1, 0, 1, 0, 1)
	return d[0] != '0' && ((odd*7-even)%10+10)%10 == int(d[9]-'0') && (odd+even+int(d[9]-'0'))%10 == int(d[10]-'0')
}

// portuguese checks the 9 digits of a Portuguese tax number.
func portuguese(d []byte) bool {
	return (11-weighed(d, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11%10 == int(d[8]-'0')
}

// myNumber checks the 12 digits of a Japanese resident's number.
func myNumber(d []byte) bool {
	check := 11 - weighed(d, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11
	if check >= 10 {
		check = 0
	}
	return check == int(d[11]-'0')
}

// birthNumber checks the 11 digits of a Norwegian birth number.
func birthNumber(d []byte) bool {
	return day(two(d[2:]), two(d)%40) && sum(11, 3, 7, 6, 1, 8, 9, 4, 5, 2, 1)(d) && sum(11, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)(d)
}

// belgian checks the 11 digits of Belgium's national register. For people born since 2000, the
// check uses a 2 before them.
func belgian(d []byte) bool {
	n := 0
	for _, b := range d[:9] {
		n = n*10 + int(b-'0')
	}
	return 97-n%97 == two(d[9:]) || 97-(2_000_000_000+n)%97 == two(d[9:])
}
