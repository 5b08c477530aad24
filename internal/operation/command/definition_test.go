package command_test

import "testing"

// What a command line defines is what it uses later.
func TestDefinitions(t *testing.T) {
	for text, want := range map[string]string{
		"git config alias.yolo 'reset --hard' && git yolo":                                        "git(reset --hard) uncommitted",
		"git config --global alias.Yolo 'reset --hard'; git yolo":                                 "git(reset --hard) uncommitted",
		"git config set alias.x '!rm -r ~/x'; git x":                                              "delete(/home/dev/x) recursive",
		"git config alias.p push; git p -f origin main":                                           "git(push -f origin main) force,protected-branch",
		"git -c alias.p=push p -f origin main":                                                    "git(push -f origin main) force,protected-branch",
		"git config alias.a b; git config alias.b 'reset --hard'; git a":                          "git(reset --hard) uncommitted",
		"printf '[alias]\\n\\tx = reset --hard\\n' >> ~/.gitconfig; git x":                        "git(reset --hard) uncommitted",
		"printf '[alias]\\n\\tx = !rm -r ~/x\\n' >> .git/config; git x":                           "delete(/home/dev/x) recursive",
		"GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='reset --hard' git x":                        "git(reset --hard) uncommitted",
		"git config core.hooksPath /tmp/h; echo 'rm -r ~/x' > /tmp/h/pre-commit; git commit -m x": "delete(/home/dev/x) recursive",
		"echo 'rm -r ~/x' > h/pre-push; git -c core.hooksPath=h push":                             "delete(/home/dev/x) recursive",
		"npm pkg set scripts.x='rm -r ~/x' && npm run x":                                          "delete(/home/dev/x) recursive",
		"npm pkg set scripts.pretest='rm -r ~/x' && npm test":                                     "delete(/home/dev/x) recursive",
		"npm pkg set scripts.postinstall='rm -r ~/x' && npm install":                              "delete(/home/dev/x) recursive",
		"npm set-script x 'rm -r ~/x'; npm run x":                                                 "delete(/home/dev/x) recursive",
		"pnpm pkg set scripts.wipe='rm -r ~/x'; pnpm wipe":                                        "delete(/home/dev/x) recursive",
		"composer config scripts.x 'rm -r ~/x'; composer x":                                       "delete(/home/dev/x) recursive",
		`echo '{"tasks":{"x":"rm -r ~/x"}}' > deno.json; deno task x`:                             "delete(/home/dev/x) recursive",
		"gh alias set yolo 'repo delete $1 --yes' && gh yolo o/r":                                 "infra(gh delete repo o/r) destroy",
		"gh alias set --shell yolo 'rm -r ~/x'; gh yolo":                                          "delete(/home/dev/x) recursive",
		"glab alias set d 'repo delete'; glab d o/r":                                              "infra(glab delete repo o/r) destroy",
		`cargo --config 'alias.x="publish"' x`:                                                    "packages(cargo publish) upload",
		"printf '[alias]\\nx = [\"publish\"]\\n' > .cargo/config.toml; cargo x":                   "packages(cargo publish) upload",
		"CARGO_ALIAS_X=publish cargo x":                                                           "packages(cargo publish) upload",
		"hg --config alias.x='!rm -r ~/x' x":                                                      "delete(/home/dev/x) recursive",
		"printf '[alias]\\nx = strip tip\\n' > ~/.hgrc; hg x":                                     "git(hg strip tip) irreversible",
		`jj config set --user aliases.x '["util","exec","--","rm","-r","/home/dev/x"]'; jj x`:     "delete(/home/dev/x) recursive",
		`jj --config 'aliases.x=["git","push"]' x`:                                                "git(jj git push) upload",
		"aws configure set cli_pager 'rm -r ~/x'":                                                 "delete(/home/dev/x) recursive",
		"ln -s /bin/rm foo; ./foo -r ~/x":                                                         "delete(/home/dev/x) recursive",
		"cp $(which rm) /tmp/foo && /tmp/foo -r ~/x":                                              "delete(/home/dev/x) recursive",
		"cp /bin/rm ~/bin/foo; foo -r ~/x":                                                        "delete(/home/dev/x) recursive",
		"echo 'rm -r ~/x' > bin/tool; PATH=$PWD/bin:$PATH tool":                                   "delete(/home/dev/x) recursive",
		"echo 'rm -r ~/x' > ls; export PATH=.:$PATH; ls":                                          "delete(/home/dev/x) recursive",
		"echo 'rm -r ~/x' > ~/.local/bin/tool; tool":                                              "delete(/home/dev/x) recursive",
	} {
		t.Run(text, func(t *testing.T) { wantOps(t, text, want) })
	}
	for _, text := range []string{"git -c alias.st=status st", "gh alias list", "npm pkg get scripts.x", "npm run x", "git -c alias.x=log y"} {
		t.Run(text, func(t *testing.T) { wantQuiet(t, text) })
	}
}

// Aliases that lead to themselves end.
func TestDefinitionsInACircle(t *testing.T) {
	wantOps(t, "git config alias.a b; git config alias.b a; git a; rm -r ~/x", "delete(/home/dev/x) recursive")
	wantOps(t, `cargo --config 'alias.x="y"' --config 'alias.y="x"' x; rm -r ~/x`, "delete(/home/dev/x) recursive")
}
