// Code generated from programs/virtual-machine.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var virtualMachineModels = []Model{
	{Names: "virsh", Opts: "-c,--connect=_ --domain=_", Do: doCloud},
	{Names: "qm pct pvesm pvecm pveum vzctl VBoxManage vboxmanage vmrun prlctl utmctl tart", Do: doCloud},
	{Names: "lxc incus", Opts: "--project=_ -c,--config=_ -p,--profile=_ -s,--storage=_ -n,--network=_", Do: doLXC},
	{Names: "multipass limactl lima colima orb", Opts: "--working-directory,-d=_ --workdir=_ --shell=_ -c,--cpus=_ -m,--memory=_", Do: doLXC},
}
