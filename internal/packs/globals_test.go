package packs_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Options before a sub-command say where or how, and never hide what it does.
func TestGlobalOptions(t *testing.T) {
	p := builtin(t)
	for want, list := range map[umpire.Effect]string{
		umpire.Deny: `
git -C x --no-pager -c a.b=c push --force origin main
docker --context default system prune --volumes -f
docker -H unix:///var/run/docker.sock volume prune -af
kubectl -n x --context y delete ns x
kubectl --kubeconfig k --as admin --request-timeout 5s -v 6 delete pvc --all
terraform -chdir=x destroy -auto-approve
pulumi -C x -s prod destroy --yes
pulumi --cwd x destroy -y
aws --profile x --region y --output json s3 rb s3://b --force
gcloud --project x --account a -q --verbosity=none projects delete x
az --subscription s --only-show-errors group delete -n g -y
gh -R a/b repo delete a/b --yes
redis-cli -h h -p 1 -n 2 flushall
psql -X -q -h h -U u -d x -c 'drop table a'
npm --prefix p exec -- rm -rf /etc
pnpm -C p exec rm -rf /etc
poetry -C p run rm -rf /etc
uv --directory p run rm -rf /etc
conda run -n x rm -rf /etc
mise -C p exec -- rm -rf /etc
timeout -s KILL 5 rm -rf /etc`,
		umpire.Ask: `
git --git-dir x/.git --work-tree x reset --hard
git -p --no-replace-objects clean -fd
docker --context prod rm web
docker -H ssh://prod restart web
docker --config c -D -l debug compose -f a.yml -p x down -v
docker --context prod compose -f a.yml up -d
helm --kube-context x -n y --debug uninstall r
gh --repo a/b pr merge 3
npm --prefix p publish
pnpm --filter ./x --dir y publish
yarn --cwd p publish
cargo +nightly publish
cargo --manifest-path p/Cargo.toml publish
poetry --directory p -n publish
mvn -f p/pom.xml -B -q deploy
gradle --project-dir p publish
make -C p deploy
just -f p/justfile -d p deploy
fly -c p/fly.toml -a x deploy
vercel --cwd p --scope s --prod
wrangler --config p/w.toml deploy
systemctl --user -q stop x`,
		umpire.Allow: `
git -C x --no-pager log
docker --context prod ps
docker --context colima compose up -d
kubectl -n x --context y get pods
kubectl -n x exec web-0 -- ls /app
terraform -chdir=x plan
aws --profile x s3 ls
gh -R a/b pr list
npm --prefix p test
cargo +nightly fmt
yarn --cwd p install
pnpm -F web build
vercel --cwd p ls
make -C p test`,
	} {
		for line := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
			if d := decide(p, policy.Example{Command: line}); d.Effect != want {
				t.Errorf("%s: %v, want %v: %v", line, d.Effect, want, d.Reasons)
			}
		}
	}
}
