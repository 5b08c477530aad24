// Code generated from programs/node-packages.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var nodePackagesModels = []Model{
	{Names: "npm pnpm yarn ni cnpm", Opts: "--prefix,-C,--dir,--cwd=_ --registry=_ -w,--workspace,--filter,-F=_ --tag=_ --otp=_ --userconfig,--globalconfig,--use-yarnrc=_ --script-shell=P --node-options=_ --cache=_ --loglevel=_ -c,--call=c --dry-run+inert --omit=_ --include=_ --access=_ --scope=_ --depth=_ --store-dir=_ --modules-dir=_ --virtual-store-dir=_ --reporter=_ --network-concurrency=_ --changed-files-ignore-pattern=_ --test-pattern=_ --use-node-version=_ --mutex=_ --modules-folder=_ --cache-folder=_ --network-timeout=_ --link-folder=_ --proxy=_ --https-proxy=_ --emoji=_ -D,--save-dev -S,--save -E -O -f,--force+force --ignore-scripts --package,-p=_ -g,--global+global --location=_+global", Style: Verb, Do: doNpm},
	{Names: "npx bunx pnpx pnpm-dlx yarn-dlx", Opts: "-y,--yes -q,--quiet -s,--silent --no-install --no --ignore-existing --prefer-offline --prefer-online --offline --bun --verbose --include-workspace-root --workspaces --loglevel=_ --prefix=_ -p,--package=_ -c,--call=c --registry=_ --userconfig=_ -w,--workspace=_ --cache=_ --node-options=_ --shell=_", Style: Strict, Do: doNpx},
	{Names: "corepack", Do: doRunner},
}
