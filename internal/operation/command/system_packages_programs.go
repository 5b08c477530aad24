// Code generated from programs/system-packages.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var systemPackagesModels = []Model{
	{Names: "apt apt-get aptitude dnf dnf5 yum microdnf zypper apk pacman yay paru emerge xbps-install xbps-remove pkg pkg_add pkg_delete brew port snap flatpak nix nix-env nix-shell guix winget choco scoop eopkg urpmi swupd tdnf rpm-ostree", Opts: "-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_", Style: Verb, Do: doSystemPackages},
	{Names: "dpkg rpm", Opts: "-i,--install,-U,-F,--upgrade -r,--remove,-e,--erase -P,--purge --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L,--listfiles -S,--search -q,--query -a,--all -s,--status -V --import --root=_ --configure -c,--contents -I,--info -x,--extract -X --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check", Do: doDpkg},
	{Names: "apt-key apt-add-repository add-apt-repository dnf-config-manager yum-config-manager rpmkeys", Do: doRepository},
	{Names: "apt-cache apt-mark apt-file dpkg-query repoquery apt-config"},
	{Names: "installer softwareupdate mas", Opts: "-pkg=r -target=_ -i -l -a", Style: LongDash, Do: doMacInstaller},
}
