package command_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/shell"
)

// The words of a program that nobody described still count: a verb that destroys, with what
// it is done to and what waves a question away.
func TestUndescribed(t *testing.T) {
	for text, want := range map[string]string{
		"frobctl tenant purge --live":                "infra(frobctl purge tenant) destroy,production",
		"frobctl delete all":                         "infra(frobctl delete all) destroy,bulk",
		"frobctl tenants delete t-1 --force":         "infra(frobctl delete tenants t-1) destroy",
		"frobctl db reset -y":                        "infra(frobctl reset db) destroy",
		"frobctl shop:uninstall -n --all":            "infra(frobctl uninstall shop) destroy,bulk",
		"frobctl clean --type all registry/app":      "infra(frobctl clean all registry/app) destroy,bulk",
		"frobctl delete-cluster main":                "infra(frobctl delete main) destroy",
		"frobctl cluster_delete main":                "infra(frobctl delete main) destroy",
		"frobctl deleteCluster main":                 "infra(frobctl delete main) destroy",
		"frobctl db:drop":                            "infra(frobctl drop db) destroy",
		"frobctl dropdb main":                        "infra(frobctl drop main) destroy",
		"frobctl factory-reset dev-9":                "infra(frobctl reset dev-9) destroy",
		"frobctl ~/.ssh/id_rsa --help":               "read(/home/dev/.ssh/id_rsa) unknown",
		"frobctl branch -D main":                     "infra(frobctl delete branch main) destroy",
		"frobqueue -d ALL":                           "infra(frobqueue delete ALL) destroy",
		"removeacct bob":                             "infra(removeacct remove bob) destroy",
		"frobdelete cn=x,dc=y":                       "infra(frobdelete delete cn=x,dc=y) destroy",
		"frobctl deletevd:raid.1":                    "infra(frobctl delete) destroy",
		"frobctl node power off n1":                  "infra(frobctl poweroff node n1) destroy",
		"frobctl poweroff n1":                        "infra(frobctl poweroff n1) destroy",
		"frob_format /dev/sda":                       "infra(frob_format erase /dev/sda) destroy",
		"frob --revertTPer pw /dev/sda":              "infra(frob erase /dev/sda) destroy",
		"frob shell -c 'volume.delete -volumeId 3'":  "infra(frob delete volume 3) destroy",
		"frob shell <<< 'collection.delete -force'":  "infra(frob delete collection) destroy",
		"frobctl flushall":                           "infra(frobctl flushall) destroy",
		"frobctl release rollback web --env=live":    "infra(frobctl rollback release web) destroy,production",
		"frobctl artifacts --delete-untagged -f":     "infra(frobctl delete artifacts) destroy",
		"frobctl user rm 1882 --no-confirm":          "infra(frobctl rm user 1882) destroy",
		"frobctl queue purge orders":                 "infra(frobctl purge queue orders) destroy",
		"sudo frobctl node terminate n1 -Fy":         "infra(frobctl terminate node n1) destroy",
		"sh -c 'frobctl env wipe staging2'":          "infra(frobctl wipe env staging2) destroy",
		"frob-delete-tenant t-1 --yes":               "infra(frob-delete-tenant delete t-1) destroy",
		"frobctl volume erase v1 --dry-run=false":    "infra(frobctl erase volume v1) destroy",
		"frobctl reset --hard --all":                 "infra(frobctl reset) destroy,bulk",
		"frob delete web":                            "infra(frob delete web) destroy",
		"Remove-Frob delete tenant --force":          "infra(Remove-Frob delete tenant) destroy",
		"frobctl orders cancel 7 --yes":              "infra(frobctl cancel orders 7) destroy",
		"frobctl tenant delete latest -y":            "infra(frobctl delete tenant latest) destroy",
		"frobctl env delete dev-live -y":             "infra(frobctl delete env dev-live) destroy,production",
		"list-admin user delete ana --force":         "infra(list-admin delete user ana) destroy",
		"devices delete user --force":                "infra(devices delete user) destroy",
		"frobctl remove web":                         "infra(frobctl remove web) destroy",
		"frobctl app delete web --do-it":             "infra(frobctl delete app web) destroy",
		"frobctl zone remove z1 --i-know-what-i-do":  "infra(frobctl remove zone z1) destroy",
		"frobctl hostgroup delete web":               "infra(frobctl delete hostgroup web) destroy",
		"frob delete-stories --space 4":              "infra(frob delete 4) destroy,bulk",
		"frob delete --cert-name shop":               "infra(frob delete shop) destroy",
		"frob uninstall --no-prompt":                 "infra(frob uninstall) destroy",
		"frob down -a -y":                            "infra(frob down) destroy,bulk",
		"frob trash:empty --all-users":               "infra(frob trash empty) destroy,bulk",
		"frob --port /dev/ttyUSB0 erase_region 0":    "infra(frob erase /dev/ttyusb0 0) destroy",
		"frob array slot=0 unit all delete forced":   "infra(frob delete array slot=0 unit all forced) destroy,bulk",
		"frob /c0/v0 del force":                      "infra(frob del /c0/v0 force) destroy",
		"frob secret rm -version 3 kv":               "infra(frob rm secret 3 kv) destroy",
		"frobdb -e 'DROP TABLE users'":               "database(drop-table users) irreversible",
		"frob fs -rm -r -skipTrash /u/a":             "infra(frob rm fs /u/a) destroy",
		"frob rmpool data":                           "infra(frob rm data) destroy",
		"frob revert -y":                             "infra(frob revert) destroy",
		"frob delete /nodes/n1":                      "infra(frob delete /nodes/n1) destroy",
		"frob sql 'delete from users'":               "database(delete users) bulk",
		"frobsql 'truncate table orders;'":           "database(truncate orders) bulk",
		"frob --query='drop database shop'":          "database(drop-database shop) irreversible",
		"frob-agent-uninstall.sh":                    "infra(frob-agent-uninstall.sh uninstall) destroy",
		"frob-reset --all-clusters":                  "infra(frob-reset reset) destroy,bulk",
		"frobctl delete -f":                          "infra(frobctl delete) destroy",
		"frobctl reset --yes":                        "infra(frobctl reset) destroy",
		"frob content:delete-all":                    "infra(frob delete content) destroy,bulk",
		"frob boards delete-all":                     "infra(frob delete boards) destroy,bulk",
		"frob refs --remove-all":                     "infra(frob remove refs) destroy,bulk",
		"frob down --destroy-data":                   "infra(frob destroy down) destroy",
		"frob forget --keep-none --prune snap1":      "infra(frob forget snap1) destroy",
		"frob-nuke aws --force":                      "infra(frob-nuke nuke aws) destroy",
		"frob boards delete ghcr.io/acme/shop":       "infra(frob delete boards ghcr.io/acme/shop) destroy",
		"frob boards delete prod --no-dry-run":       "infra(frob delete boards prod) destroy,production",
		"frobctl cleanse":                            "infra(frobctl cleanse) destroy",
		"frobctl uninstall":                          "infra(frobctl uninstall) destroy",
		"frobctl hw rm web1":                         "infra(frobctl rm hw web1) destroy",
		"frob publish drop stable":                   "infra(frob drop publish stable) destroy",
		"frobctl fs.rm -r /buckets/shop":             "infra(frobctl rm fs /buckets/shop) destroy",
		"frob delete-workspace -workspace=w1":        "infra(frob delete) destroy",
		"frob gc --delete-untagged --force":          "infra(frob delete gc) destroy",
		"frobctl server 'delete' --yes --name 'x y'": "infra(frobctl delete server 'x y') destroy",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
}

// What is made anew, tried out, listed or only spoken of is left alone.
func TestUndescribedQuiet(t *testing.T) {
	for _, text := range []string{
		"frobctl cache clear --all", "frobctl log clear", "frobctl logs purge --yes", "frobctl stop web", "frob remove web", "frob purge", "frob revoke", "frob remove data.csv", "frob -m 'drop table users'", "frob add 'drop table users'", "frobsql 'drop it now'", "frobctl delete 3", "frob delete notes.txt", "frobctl delete tool@1.2", "frob uninstall web", "frob bundle.js delete", "frob clean -af", "frobctl clean", "frobctl clean -f", "frobctl build --clean --force",
		"frobctl tenant purge --live --dry-run", "frobctl tenant purge --help", "frobctl help delete tenant", "frobctl tenants list --deleted --all", "frobctl search delete --all", "frobctl add 'drop all users' --yes",
		"frobctl users list --all", "frobctl generate drop_all_users -f", "frobctl uninstall tool 18.0.1 -f", "frobctl uninstall tool@18 -f", "frobctl db reset --local", "frobctl reset", "frobctl test --drop-db=false -y",
		"frobctl query 'drop it'", "frobctl report clear", "frob uninstall", "frob clean --delete-cache -f", "frobctl invalidate --all", "frobctl get reset --yes", "frobctl -- --delete", "frobctl notes rm 3", "frobctl src/delete.go --all", "frobctl tail reset.log", "frobctl train --drop-last", "frobctl tmp:clear --all",
		"Get-Frob Remove-Item -Full", "get-frob Remove-Item -Full", "frobctl up -d", "frobctl logs -d 5", "frobctl serve -d dist", "frobctl -D main", "frobctl power status", "frobctl node power on n1", "frobctl list --format json /dev/sda", "frobctl info /dev/sda", "frob shell -c 'list volumes'", "frobctl delete draft-12", "devenv reset-db", "worktreectl remove feature-42", "frobctl flow-run cancel 8d1f --yes", "frobctl stage delete dev-ana -y", "frobctl db reset shop_test -y",
		"frob delete -f notes.txt", "frob reset", "frob-nuke", "frob-nuke --list", "frob delete src/old", "frob down --remove-orphans", "frob clear --prune", "frob list --remove-all=false",
	} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}

// Files of the project show by their ending and by the name of the option that takes them, whatever
// the program; formats, hosts, versions, properties and modules are no files.
func TestOwnFilesShow(t *testing.T) {
	for line, want := range map[string]string{
		"frobctl render scene.blend":              "read(/home/dev/proj/scene.blend)",
		"frobctl -o out/scene.exr scene.blend":    "write(/home/dev/proj/out/scene.exr)",
		"frobctl -o prog main.hs":                 "write(/home/dev/proj/prog)",
		"frobctl --output=prog main.hs":           "write(/home/dev/proj/prog)",
		"frobctl --output-dir build main.hs":      "write(/home/dev/proj/build)",
		"frobctl --cache-dir tmp":                 "read(/home/dev/proj/tmp)",
		"frobctl -e @vars.tfx":                    "read(/home/dev/proj/vars.tfx)",
		"frobctl --pass file:/home/dev/.netrc":    "read(/home/dev/.netrc)",
		"objdump -dSC prog.elf":                   "read(/home/dev/proj/prog.elf)",
		"tokei -f src.dart":                       "read(/home/dev/proj/src.dart)",
		"frobctl -o json main.hs":                 "!proj/json",
		"frobctl -o wide pods":                    "!proj/wide",
		"frobctl ping build.example.org":          "!example.org",
		"frobctl use v1.2.3":                      "!1.2.3",
		"frobctl -Dorg.gradle.jvmargs build":      "!jvmargs",
		"frobctl -m json.tool":                    "!json.tool",
		"frobctl --alias @/components/ui":         "!components",
		"frobctl --since 2026-01-01T12:00:00.00Z": "!2026",
		"frobctl -- prog":                         "!proj/prog",
		"frobctl -o . main.hs":                    "!write",
		"frobctl hex.publish":                     "!hex.publish",
		"frobctl -out=prod.plan":                  "write(/home/dev/proj/prod.plan)",
	} {
		var got []string
		for _, o := range shell.Read(line, readingEnv) {
			if o.Kind != umpire.Exec {
				got = append(got, o.String())
			}
		}
		text, absent := strings.CutPrefix(want, "!")
		if strings.Contains(strings.Join(got, "\n"), text) == absent {
			t.Errorf("%s does %v, want %s", line, got, want)
		}
	}
}
