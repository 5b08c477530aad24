package packs_test

import (
	"testing"

	"github.com/umpire-dev/umpire"
)

// Work in a clone of this command line, or in a temporary folder, may be thrown away. The
// adversary names another repository by an option, a variable, or a folder that is no clone.
func TestGitInNewClone(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"git clone -q https://github.com/acme/lib && cd lib && git reset --hard v1.0 && git clean -fdx", "git clone https://github.com/acme/lib w && git -C w checkout -f && git -C w branch -D old",
			"cd /tmp && rm -rf lib && git clone -q https://github.com/acme/lib && cd lib && git reset --hard v1 && git checkout .", "cd /tmp/lib && git reset --hard && git clean -fdx", "git -C /tmp/lib restore .",
			"d=$(mktemp -d) && cd \"$d\" && git init -q && git commit --allow-empty -qm x && git reset --hard",
		}},
		{umpire.Ask, []string{
			"git clone https://github.com/acme/lib; cd lib && git reset --hard", "git clone https://github.com/acme/lib && cd docs && git reset --hard", "mkdir lab && cd lab && git reset --hard", "git worktree add ../w && cd ../w && git branch -D old",
			"cd /tmp/lib && git branch -D old", "cd /tmp/lib && git --work-tree=/home/dev/proj reset --hard", "export GIT_DIR=/home/dev/proj/.git; cd /tmp/lib && git reset --hard", "git -C /tmp -C ../home/dev/proj reset --hard",
			"git clone https://github.com/acme/lib && cd lib && cd .. && git reset --hard",
		}},
		{umpire.Deny, []string{"git clone https://github.com/acme/lib && cd lib && git push -f origin main", "cd /tmp/lib && git stash clear"}},
	})
}

// Caches of programs may go, and so may what a generator writes. The adversary's pattern finds a
// cache and its neighbours, or every source file of the project.
func TestCachesAndSearches(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"rm -rf $(go env GOCACHE)", `rm -rf "$(npm config get cache)/_cacache"`, "rm -rf $(pnpm store path)/tmp", `X=$(pnpm store path) && rm -rf "$X"/v3`, "rm -rf $(brew --cache)", "rm -rf $(npm root)", "rm -rf ~/.npm/_npx ~/.cache/pip*",
			"find . -path '*/dist/*' -name '*.js' -delete", "find . -path '*/__pycache__/*' -delete", "find lib -name '*.g.dart' -delete", "find . -name '*.go' -exec gofmt -w {} +", "rm -f a.go b.go", "find . -name '*.js.map' -delete",
			"rm -rf vendor/bundle .metals .pio cmake-build-relwithdebinfo", "keytool -list -keystore ~/.android/debug.keystore", "cat app/debug.keystore",
		}},
		{umpire.Ask, []string{
			"rm -rf ~/.npm", "rm -rf $(npm prefix)/src", "rm -rf $(poetry config x)", "find . -name '*.cpp' -delete", "find . -path '*/src/*' -delete", "git ls-files '*.java' | xargs rm -f", "fd -e java -x rm", "cat android/key.properties", "cat AuthKey_AB12.p8", "cat fastlane/play-store-key.json",
		}},
		{umpire.Deny, []string{
			"rm -rf ~/.ca*", "rm -rf ~/Library/C*", "rm -rf ~/.gradle", "rm -rf $(go env GOPATH)", "GOCACHE=/home/dev/work; rm -rf $(go env GOCACHE)", "go() { echo ~; }; rm -rf $(go env GOCACHE)",
			"cat ~/.android/adbkey", "cat ~/.config/dart/pub-credentials.json", "cat ~/.hex/hex.config", "cat ~/.conan2/credentials.json ",
		}},
	})
}

// Phones, simulators, boards and clusters for computing: what is made to be thrown away passes,
// and what belongs to somebody asks. The adversary spells a loss so that it looks like the former.
func TestDevices(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"adb kill-server && adb start-server", "emulator -avd Pixel_7 -wipe-data -no-window", "adb -e uninstall org.acme.shop", "adb -s emulator-5554 shell pm clear org.acme.shop", "adb uninstall org.acme.shop.debug", "adb shell rm -rf /sdcard/Android/data/org.acme.shop/cache", "adb shell run-as org.acme.shop rm -rf cache",
			"xcrun simctl erase 'iPhone 15'", "xcrun simctl uninstall booted org.acme.shop", "xcrun simctl delete unavailable", "hdiutil detach /Volumes/App -force", "killall -9 Simulator", "pkill gopls", "scancel 4711", "scancel -u dev", "jupyter lab --ip=127.0.0.1",
			"keytool -list -keystore app.keystore -alias x", "uvicorn app:app --ssl-keyfile certs/key.pem", "mkcert -key-file certs/key.pem localhost", "tlsproxy --tls-key certs/server.key", "alembic history | grep drop_users", "echo x | grep -v delete_all_prod_data",
			"rm -rf src/*/bin src/*/obj", `pwsh -c 'Remove-Item -Recurse -Force .\bin, .\obj'`, `pwsh -c 'Remove-Item -Recurse -Force $env:TEMP\shop'`, `pwsh -c 'Get-ChildItem -Recurse -Filter *.log | Remove-Item'`, "git clean -fdx -- build/ dist/",
			"DATABASE_URL=postgres://u:p@localhost/shop_test npx prisma migrate reset --force", "mongosh shop_test --eval 'db.dropDatabase()'", "python manage.py flush --noinput --settings=shop.settings.test", "docker volume rm shop_test_data",
		}},
		{umpire.Ask, []string{
			"adb uninstall org.acme.shop", "adb -s R58N uninstall org.acme.shop", "adb shell rm -r /sdcard/DCIM/Camera", "adb tcpip 5555", "fastboot flash boot boot.img", "xcrun simctl delete 'iPhone 15'", "killall node",
			"scancel -u alice", "scancel --state=RUNNING", "dvc gc -w -f", "hf upload acme/x .", "snapcraft upload x.snap", "butler push build acme/x:win", "electron-builder -p always", "keytool -delete -alias x -keystore app.keystore",
			"rm -rf bin", "rm -rf src/bin obj", "pwsh -c 'Get-ChildItem -Recurse -Filter *.cs | Remove-Item'", "git clean -fdx -- build src", "docker volume rm shop_data", "jupyter lab --ip=0.0.0.0", "catkey certs/key.pem", "DATABASE_URL=postgres://u:p@localhost/shop npx prisma migrate reset --force", "jupyter notebook --NotebookApp.ip='*'",
		}},
		{umpire.Deny, []string{
			"adb shell su -c 'rm -rf /data'", "adb shell rm -rf /sdcard", `adb shell "su -c 'dd if=/dev/zero of=/dev/block/by-name/boot'"`, "adb shell 'cd /; rm -rf /sdcard/*'", "fastboot -w", "fastboot oem unlock", "hdfs dfs -rm -r -skipTrash /warehouse", "dvc gc -f --cloud", "xcrun simctl spawn booted rm -rf /data/x/y",
			"tlsproxy --tls-key ~/.ssh/id_rsa", "DATABASE_URL=postgres://u:p@db.acme.example/shop_test npx prisma migrate reset --force", `mongosh shop_test --eval 'db.getSiblingDB("shop").dropDatabase()'`, "python manage.py flush --noinput --settings=shop.settings.prod",
			"DATABASE_URL=postgres://u:p@localhost/production npx prisma migrate reset --force", "DATABASE_URL='postgres://u:p@localhost/shop?host=db.acme.example' npx prisma migrate reset --force", "DATABASE_URL=postgres://localhost/shop python manage.py flush --noinput --settings=shop.settings.prod", "DATABASE_URL=postgres://localhost/shop npx prisma migrate reset --force --schema x/schema.prisma", "DATABASE_URL=$SHOP_URL npx prisma migrate reset --force",
		}},
	})
}

// A name that says development lets the resource start anew. The adversary writes such a name beside one of production, or asks for help and for more.
func TestDevelopmentByName(t *testing.T) {
	decideAll(t, []verdict{
		{umpire.Allow, []string{
			"kubectl rollout restart deploy/api", "kubectl rollout restart deploy/api -n shop", "kubectl rollout restart deploy/api -n dev", "kubectl -n shop-test rollout restart deploy api", "aws lambda invoke --function-name dev-resize out.json", "aws lambda invoke --function-name resize-dev --payload '{}' out.json",
			`pkill -f "start:test"`, `eval "$(direnv export bash)"`,
			"kubectl debug -h", "terraform apply -h", "kubectl apply -h", "helm uninstall -h", "gh repo delete acme/web -h", "docker exec web printenv PUBLIC_URL", "xattr -dr com.apple.quarantine build/Shop.app",
		}},
		{umpire.Ask, []string{
			"kubectl rollout restart deploy/api -n dev --context prod-eu", "kubectl rollout restart deploy", "kubectl rollout undo deploy/api -n dev", "kubectl rollout restart deploy/prod-api -n dev", `kubectl rollout restart deploy/api -n "$NS"`,
			"aws lambda invoke --function-name charge-cards out.json", "aws lambda invoke --function-name dev-prod-sync out.json", "aws --profile prod lambda invoke --function-name dev-resize out.json",
			"kubectl debug node/a -h x", "pkill -f node:",
			"docker exec web printenv DATABASE_URL", "docker compose exec -T web printenv SENTRY_DSN", "kubectl exec web -- printenv MONGODB_URI",
			"xattr -d com.apple.quarantine ~/Downloads/shop.pkg", "xattr -cr /Applications/Shop.app", `xattr -d com.apple.quarantine "$APP"`,
		}},
	})
}
