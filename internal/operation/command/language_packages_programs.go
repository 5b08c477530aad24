// Code generated from programs/language-packages.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var languagePackagesModels = []Model{
	{Names: "cargo", Opts: "-C=D --config=_ --manifest-path=_ --target-dir=_ -p,--package=_ --features=_ --bin=_ --example=_ --test=_ -j=_ --target=_ --git=_ --path=_ --registry=_ --index=_ --version,--vers=_ --token=_ --root=_ --profile=_ -n,--dry-run+inert --color=_ --message-format=_ -Z=_ --config=_ --jobs=_ --lockfile-path=_ --explain=_ --exclude=_ --bench=_ --timings?=_", Style: NoInert | Verb, Do: doCargo},
	{Names: "go", Opts: "-C=D -exec=P -toolexec=P -o=w -run=_ -bench=_ -count=_ -timeout=_ -tags=_ -ldflags=_ -gcflags=_ -mod=_ -modfile=_ -overlay=r -p=_ -coverprofile=w -cpuprofile=w -memprofile=w -fuzz=_ -fuzztime=_ -vettool=P", Style: LongDash | NoInert, Do: doGo},
	{Names: "gem", Opts: "-v,--version=_ -s,--source=_ -i,--install-dir=_ -n,--bindir=_ -k,--key=_ --host=_ -P=_ --user-install", Do: doGem},
	{Names: "bundle bundler", Opts: "--gemfile=_ --path=_ -j=_ --without=_", Style: Strict, Do: doRunner},
	{Names: "composer", Opts: "-d,--working-dir=D --repository=_ --dev --no-scripts -n -q --dry-run+inert", Do: doComposer},
	{Names: "mvn mvnw maven", Opts: "-f,--file=_ -P=_ -pl=_ -s,--settings=_ -T=_ -D=_ -am -q -B -o -gs=_", Style: LongDash, Do: doMaven},
	{Names: "gradle gradlew", Opts: "-p,--project-dir=_ -b,--build-file=_ -I,--init-script=x -x,--exclude-task=_ -P=_ -D=_ --console=_ -c=_ -m,--dry-run+inert", Do: doGradle},
	{Names: "sbt lein ant", Do: doBuildPublish},
	{Names: "dotnet", Opts: "-c,--configuration=_ -f,--framework=_ -o,--output=_ -r=_ -s,--source=_ -k,--api-key=_ --project=_ -p=_ -v=_", Do: doDotnet},
	{Names: "nuget", Opts: "-Source=_ -ApiKey=_ -OutputDirectory=_ -Version=_", Style: LongDash, Do: doDotnet},
	{Names: "rebar3 hex", Do: doHex},
	{Names: "luarocks cpan cpanm opam cabal stack vcpkg pod carthage tlmgr julia-pkg nimble shards dub raco", Opts: "--server=_ --source=_ --only-server=_ --mirror=_ -e=_", Do: doOtherManager},
	{Names: "helm-plugin krew", Do: doOtherManager},
}
