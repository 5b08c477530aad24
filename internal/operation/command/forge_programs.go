// Code generated from programs/forge.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var forgeModels = []Model{
	{Names: "gh glab hub tea fj bb", Opts: "-R,--repo=_ -X,--method=_ -f,-F,--raw-field,--field=_ -H,--header=_ -q,--jq=_ -t,--template,--title=_ -b,--body=_ -F,--body-file=r --json=_ -L,--limit=_ -B,--base=_ -H,--head=_ -l,--label=_ -a,--assignee=_ -r,--reviewer=_ -m,--milestone=_ --input=r -e,--env=_ -o,--org=_ -u,--user=_ -w,--workflow=_ --visibility=_ -n,--notes=_ --notes-file=r --cleanup-tag -y,--yes --confirm --hostname=_ --description=_ -s,--state=_ -p,--pattern=_ -D,--dir=_ -d,--description=_ --admin --public --web --shell -c=_", Do: doForge},
}
