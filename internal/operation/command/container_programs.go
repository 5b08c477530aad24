// Code generated from programs/container.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var containerModels = []Model{
	{Names: "docker docker.io podman nerdctl finch lima-nerdctl podman-remote", Opts: "-H,--host=_ -c,--context=_ --config=_ -l,--log-level=_ --tlscacert=_ --tlscert=_ --tlskey=_ --namespace,-n=_ --connection=_ --url=_ --root=_ --storage-driver=_ --storage-opt=_ --runroot=_ --tmpdir=_ --cgroup-manager=_ --events-backend=_ --identity=_ --module=_ --address,-a=_ --snapshotter=_ --data-root=_ --hosts-dir=_ -D,--debug --tls --tlsverify -r,--remote -v+inert", Sub: containerCommands7, Do: doEngine},
	{Names: "docker-compose podman-compose nerdctl-compose", Opts: "-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_", Sub: containerCommands6, Do: doComposeNone},
	{Names: "crictl", Opts: "-r,--runtime-endpoint=_ -i,--image-endpoint=_ -t,--timeout=_ -c,--config=_", Sub: containerCommands8, Do: doEngine},
	{Names: "ctr", Opts: "-n,--namespace=_ -a,--address=_", Do: doEngine},
	{Names: "buildah skopeo kaniko executor img crane regctl oras", Opts: "-f,--file=r -t,--tag=_ --build-arg=_ -a,--all", Do: doImageTool},
}

var containerCommands1 = []Model{
	{Names: "run create", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=r -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_", Style: Strict, Do: doContainerRun},
	{Names: "exec", Opts: "-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=r -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged", Style: Strict, Do: doContainerExec},
	{Names: "rm remove", Opts: "-f,--force -v,--volumes -l,--link -a,--all", Do: doContainerRemove},
	{Names: "kill stop restart pause", Opts: "-s,--signal=_ -t,--time=_ -a,--all", Do: doContainerStop},
	{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
	{Names: "cp", Do: doContainerCopy},
	{Names: "inspect", Opts: "-f,--format=_ --type=_ -s,--size", Do: doInspect},
}

var containerCommands2 = []Model{
	{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
	{Names: "rm remove delete", Opts: "-f,--force -a,--all", Do: doEngineRemove},
	{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
	{Names: "push", Do: doImagePush},
}

var containerCommands3 = []Model{
	{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
	{Names: "rm remove delete", Opts: "-f,--force -a,--all", Do: doEngineRemove},
}

var containerCommands4 = []Model{
	{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
	{Names: "reset", Do: doEngineReset},
}

var containerCommands5 = []Model{
	{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
	{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
	{Names: "rm", Do: doNothing},
}

var containerCommands6 = []Model{
	{Names: "down", Opts: "-v,--volumes --rmi=_ -t,--timeout=_ --dry-run+inert", Do: doComposeDown},
	{Names: "rm", Opts: "-f,--force -s,--stop -v,--volumes", Do: doComposeDown},
	{Names: "exec", Opts: "-e,--env=_ -w,--workdir=_ -u,--user=_ --index=_ -T,--no-TTY,--no-tty -i,--interactive -t,--tty -d,--detach --privileged", Style: Strict, Do: doContainerExec},
	{Names: "run", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=r -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_ -T,--no-TTY,--no-tty --no-deps --build --use-aliases --service-ports --remove-orphans --quiet-pull --quiet-build", Style: Strict, Do: doComposeRun},
	{Names: "kill", Do: doComposeFar},
	{Names: "up start create restart watch", Opts: "-d,--detach --build --wait -V,--renew-anon-volumes --force-recreate --no-deps --remove-orphans --scale=_ --exit-code-from=_ --attach=_ --no-attach=_ -t,--timeout=_ --pull=_ --abort-on-container-exit --quiet-pull --no-build --no-start --no-recreate --menu -w,--watch --wait-timeout=_ -y,--yes", Do: doComposeUp},
}

var containerCommands7 = []Model{
	{Names: "run create", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=r -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_", Style: Strict, Do: doContainerRun},
	{Names: "exec", Opts: "-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=r -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged", Style: Strict, Do: doContainerExec},
	{Names: "rm remove", Opts: "-f,--force -v,--volumes -l,--link -a,--all", Do: doContainerRemove},
	{Names: "kill stop restart pause", Opts: "-s,--signal=_ -t,--time=_ -a,--all", Do: doContainerStop},
	{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
	{Names: "cp", Do: doContainerCopy},
	{Names: "push", Do: doImagePush},
	{Names: "container", Sub: containerCommands1, Do: doNothing},
	{Names: "inspect", Opts: "-f,--format=_ --type=_ -s,--size", Do: doInspect},
	{Names: "image", Sub: containerCommands2, Do: doNothing},
	{Names: "volume", Sub: containerCommands3, Do: doNothing},
	{Names: "network", Sub: containerCommands3, Do: doNothing},
	{Names: "system", Sub: containerCommands4, Do: doNothing},
	{Names: "builder buildx", Sub: containerCommands5, Do: doNothing},
	{Names: "compose", Opts: "-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_", Sub: containerCommands6, Do: doComposeNone},
	{Names: "stack service node swarm secret config plugin pod machine context manifest", Do: doEngine},
	{Names: "rmi", Do: doEngineRemove},
	{Names: "unshare", Args: "C", Style: Strict},
}

var containerCommands8 = []Model{
	{Names: "exec", Opts: "-t,--tty -i,--interactive -s,--sync --timeout=_", Style: Strict, Do: doContainerExec},
}
