// Code generated from programs/provision.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var provisionModels = []Model{
	{Names: "terraform tf tofu opentofu terragrunt tg terramate atmos", Opts: "-chdir=_ --terragrunt-config-path=_ --terragrunt-source=_ --terragrunt-log-level=_ --terragrunt-iam-role=_ -var=_ -var-file=_ -target=_ -state=_ -out=_ -backup=_ -lock-timeout=_ -parallelism=_ -replace=_ -backend-config=_ -plugin-dir=_ -dry-run+inert --terragrunt-working-dir,--working-dir=_ --terragrunt-config=_ --queue-include-dir=_ --log-level=_", Style: LongDash | Verb, Do: doTerraform},
	{Names: "pulumi pulumi-cli", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --stack=_", Do: doStack},
	{Names: "cdk cdktf sam serverless sls sst chalice zappa aws-sam-cli samlocal cdklocal copilot-cli up-cli architect winglang wing stacks tflocal infracost", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Do: doStack},
	{Names: "ansible", Opts: "-m,--module-name=_ -a,--args=_ -i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -f,--forks=_ --private-key,--key-file=_ --vault-password-file=_ -C,--check+inert --list-hosts+inert -M=_ -t,--tree=_ -c,--connection=_ -b,--become -K --become-user=_ -P=_ -B=_", Do: doAnsible},
	{Names: "ansible-playbook ansible-pull ansible-console", Opts: "-i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -t,--tags=_ --skip-tags=_ --private-key=_ --vault-password-file=_ -C,--check+inert --syntax-check+inert --list-hosts+inert --list-tasks+inert --list-tags+inert -f,--forks=_ -U,--url=u -c=_", Args: "r*", Do: doPlaybook},
	{Names: "ansible-galaxy ansible-inventory ansible-lint ansible-doc ansible-config molecule", Do: doNothing},
	{Names: "salt salt-ssh salt-call salt-run salt-key", Opts: "-C,-E,-L,-G,-N,-S,-I -t,--timeout=_ -c,--config-dir=_ --out=_ -l=_ -d,--delete=_ -D,--delete-all -b,--batch=_", Do: doSalt},
	{Names: "puppet chef-client chef-solo chef knife cinc-client cf-agent bolt", Opts: "-e,--execute=_ --noop,-W,--why-run+inert -n=_ -t,--targets=_ -i=_ -x=_ -P=_", Do: doAgentTool},
	{Names: "packer", Opts: "-var=_ -var-file=_ -only=_ -except=_ -on-error=_", Style: LongDash, Do: doNothing},
	{Names: "vagrant", Opts: "-c,--command=_ --provider=_ --provision-with=_", Do: doVagrant},
	{Names: "fastlane", Do: doRelease},
	{Names: "cap capistrano mina kamal mrsk deployer dep fab fabric shipit pm2-deploy deploy-rs nixos-rebuild morph colmena", Opts: "-n,--dry-run+inert -d,--destination=_ -H,--hosts=_ -c=_ -f=_ -s=_", Do: doDeploy},
}
