// Code generated from programs/agent.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var agentModels = []Model{
	{Names: "claude claude-code codex gemini gemini-cli qwen cursor-agent cursor aider opencode goose droid q kiro-cli kiro crush cline cody plandex gptme open-interpreter interpreter sweep continue cn auggie rovodev forge pi vibe mistral-vibe junie jules warp-agent mentat gpt-engineer devin grok iflow kilocode kilo roo trae windsurf codebuddy openhands swe-agent llm-agent agentapi happy ccr vibe-kanban", Opts: "--permission-mode=_ --approval-mode=_ -a,--ask-for-approval=_ --sandbox?=_ -s=_ -c,--config=_ -m,--model=_ -p,--print -C,--cd=_ --settings=_ --mcp-config=_ --add-dir=_ --message=_ --append-system-prompt=_ --system-prompt=_ --allowedTools,--allowed-tools=_ --disallowedTools,--disallowed-tools=_ --output-format=_ --input-format=_ --profile=_ --auto=_ --approve-mode=_ --autonomy=_ --plugin-dir=_ --resume?=_", Do: doAgent},
	{Names: "copilot amp", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Style: ShortValue, Do: doCopilot},
	{Names: "umpire", Opts: "--policy=_ --config=_ -C,--dir=_", Do: doUmpire},
	{Names: "cc-safety-net dcg nah shellfirm claude-hooks cc-bash-guard tirith agentsh", Do: doOtherGuard},
}
