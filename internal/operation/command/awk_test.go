package command

import "testing"

// An adversary gives awk a condition that holds for all variables, so that a program that prints the
// environment looks as if it picks one.
func TestAwkPicks(t *testing.T) {
	const names = "-F= "
	for program, narrow := range map[string]bool{
		"{print}": false, "1": false, "NF{print}": false, "/./": false, "/=/{print $0}": false, `BEGIN{FS="="}{print $2}`: false, "{print $NF}": false,
		"{if(1)print}": false, "{print;next}": false, "{print $1}": false, `{printf "%s\n",$0}`: false, "{a[NR]=$0} END{for(i in a) print a[i]}": false,
		"NR==1": false, "!/PATH/": false, "/PATH/,0": false, "/PATH/ || 1": false, "/PATH/{n++} {print}": false, "{if (/PATH/) n++; print}": false,
		"{if (/PATH/) {n++} print}": false, "{if (/PATH/) n++; else print}": false, `index($0,"PATH")==0`: false, "$1 !~ /PATH/": false, `$3==""`: false,
		`"a"=="a"`: false, "(/PATH/)*0==0": false, "/PATH/\n1": false, "BEGIN{while((getline)>0)print}": false, "{gsub(/a/,\"b\")}1": false,
		names + "{print $1} {FS=\"x\"}": false, `{print $1} # FS="="`: false, "{print toupper($0)}": false, "{print $1": false,
		"{x++ / 2; print $0; y=1 / 2}": false, "{print length, $0}": false, "x=$0{print x}": false, `split($0,a,"="){print a[2]}`: false, `BEGIN{system("cat")}`: false,
		`index($0 "LANG","LANG")`: false, `$0 "LANG" ~ /LANG/`: false, `toupper("lang") ~ /LANG/`: false, "1?1:0&&/LANG/": false, "NR==1,0&&/LANG/": false,
		"/LANG/{print; while((getline l)>0) print l}": false, "BEGIN{RS=\"=\"} {print $1}": false,
		"/PATH/": true, "/PATH/{print}": true, "{if ($1 ~ /^LC/) print $2}": true, "{if ($1 ~ /^LC/) {print $1; print $2}}": true, `$1=="LANG"{print $2}`: true,
		"END{print NR}": true, "{n++} END{print n}": true, "{s += length($0)} END {print s}": true, names + "{print $1}": true, `BEGIN{FS="="} {print $1}`: true,
		"(/PATH/ || /^LC_/) && NF": true, `index($0,"PATH")`: true, "toupper($1) ~ /PATH/ {print $2}": true, names + `/^(GO|NODE)/ {printf "%s -> %s\n", $1, $2}`: true,
		"!/TOKEN|SECRET/": true, `/a\/b/`: true, "/PATH/ # all of it\n": true,
	} {
		text, equals := program, false
		if len(program) > len(names) && program[:len(names)] == names {
			text, equals = program[len(names):], true
		}
		if _, got := awkPicks(awkTokens(text), equals); got != narrow {
			t.Errorf("awkPicks(%q) = %v, want %v", program, got, narrow)
		}
	}
}

func FuzzAwkPicks(f *testing.F) {
	for _, s := range []string{"{if (/PATH/) {n++} print}", `$1=="LANG"{print $2}`, "/a\\/b/,0 # x\n", `{print "`, "((", "{", "/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, program string) {
		if _, narrow := awkPicks(awkTokens(program+"\n{print}"), true); narrow && len(awkTokens(program)) == 0 {
			t.Errorf("awkPicks(%q and {print}) = true", program)
		}
	})
}
