// Code generated from programs/*.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

// families are all the Models.
var families = [...]*[]Model{
	&agentModels,
	&archiveModels,
	&backupModels,
	&buildModels,
	&bytesModels,
	&cloudModels,
	&clusterModels,
	&computeModels,
	&containerModels,
	&coreutilsModels,
	&databaseAdminModels,
	&debuggerModels,
	&deviceModels,
	&diskModels,
	&editorModels,
	&environmentModels,
	&filterModels,
	&forgeModels,
	&gitModels,
	&httpModels,
	&interpreterModels,
	&languagePackagesModels,
	&lookupModels,
	&mailModels,
	&migrationModels,
	&nodePackagesModels,
	&platformModels,
	&powershellMachineModels,
	&powershellModels,
	&prefixModels,
	&privilegeModels,
	&probeModels,
	&provisionModels,
	&publishModels,
	&pythonPackagesModels,
	&remoteModels,
	&saasModels,
	&sandboxModels,
	&searchModels,
	&secretModels,
	&serviceModels,
	&shellModels,
	&sqlModels,
	&sshModels,
	&storeModels,
	&storesModels,
	&systemPackagesModels,
	&systemModels,
	&terminalModels,
	&textModels,
	&tunnelModels,
	&virtualMachineModels,
	&watchModels,
	&windowsModels,
}

// programNames are the names of all programs in order, each with the numbers of its family
// and of its Model there.
const programNames = `7z 1 8
7za 1 8
7zr 1 8
GET 19 7
HEAD 19 7
Mail 23 0
POST 19 7
R 20 13
Rscript 20 12
Stop-Computer 40 5
VBoxManage 51 11
aa-complain 47 13
aa-disable 47 13
aa-teardown 47 13
ab 19 20
abctl 26 0
abduco 48 8
ack 38 6
acli 26 0
acli-acquia 26 0
adb 12 0
adc 26 0
add-adgroupmember 27 9
add-apt-repository 46 6
add-content 28 8
add-localgroupmember 27 9
add-mppreference 27 7
add-type 28 20
addgroup 47 1
addpart 13 39
adduser 47 1
adnshost 31 8
adyen 36 0
aerich 24 6
ag 38 5
age 39 2
age-keygen 39 15
agentapi 0 0
agentsh 0 5
aider 0 0
airbyte 26 0
aircrack-ng 31 57
aireplay-ng 31 59
airodump-ng 31 58
aiven 26 0
akamai 26 0
akeyless 36 3
alacritty 48 9
alembic 24 6
algolia 26 0
aliyun 26 0
amass 31 48
amm 20 18
amp 0 3
amplify 26 0
amplify-cli 26 0
amtool 26 0
anacron 40 29
ansible 32 3
ansible-config 32 9
ansible-console 32 4
ansible-doc 32 8
ansible-galaxy 32 5
ansible-inventory 32 6
ansible-lint 32 7
ansible-playbook 32 4
ansible-pull 32 4
ansible-vault 39 4
ant 21 7
apigeecli 26 0
apisix 26 0
apk 46 0
app-store-connect 45 5
apparmor_parser 47 13
apply_patch 9 54
applypatch 9 54
apprise 23 5
appveyor 26 0
appwrite 26 0
apt 46 0
apt-add-repository 46 6
apt-cache 46 7
apt-config 46 7
apt-file 46 9
apt-get 46 0
apt-key 46 6
apt-mark 46 8
aptitude 46 1
ar 1 12
arc 26 0
arch 29 37
arch-info 40 40
architect 32 2
argo 26 0
argocd 6 3
aria2c 19 4
arp 47 35
arping 31 15
arpspoof 31 45
arptables 47 29
artisan 24 3
ascii85 39 21
asciinema 48 1
asdf 15 5
ash 41 0
astro 26 0
at 40 26
at.exe 53 6
atexec.py 35 13
atftp 35 10
atlas 26 0
atlasgo 24 6
atmos 32 0
atq 40 30
atrm 40 28
attic 2 11
attrib 53 14
auditctl 40 33
auditd 40 39
auditpol 53 2
augenrules 40 34
auggie 0 0
auth0 26 0
authentik 26 0
autocannon 19 27
autossh 43 0
ava 3 8
avn 26 0
avrdude 12 7
awk 16 2
aws 5 0
aws-okta 15 11
aws-sam-cli 32 2
aws-vault 15 11
awslocal 5 0
axel 19 5
az 5 4
azcopy 5 5
azure-pipelines 26 0
b2 5 9
b2sum 9 51
b64decode 39 20
babashka 20 28
badblocks 13 19
bao 36 2
barman 2 14
base16 39 21
base32 4 6
base58 39 22
base64 4 5
base85 39 21
basename 22 4
basenc 4 7
bash 41 0
bash.exe 53 29
bat 49 9
batcat 49 9
batch 40 27
bazel 3 5
bazelisk 3 5
bb 17 0
bcachefs 13 31
bcdboot 53 1
bcdedit 13 51
bce 26 0
bcov 29 57
beef 31 55
beeline 42 8
beesu 30 7
begin 26 0
berglas 15 12
bettercap 31 43
bfg 18 1
biome 3 8
biscuit 39 11
bitrise 26 0
bitsadmin 53 17
bk 26 0
black 3 11
bless 13 51
blkdiscard 13 17
blkid 40 60
blockdev 13 13
bmake 3 1
bolt 32 12
bombardier 19 23
bootcfg 53 1
bootctl 13 53
bootrec 53 1
bore 50 3
borg 2 2
borgmatic 2 3
boringproxy 50 3
bosh 41 0
boundary 26 0
bpftrace 20 47
bpython 20 0
bq 5 3
braintree 36 0
brctl 47 34
brew 46 0
bridge 47 33
brotli 4 28
browsh 19 12
brush 41 0
bsd-mailx 23 1
bsdtar 1 5
bsky 23 5
bsondump 44 1
bteq 42 8
btrbk 2 19
btrfs 13 31
buck2 3 5
buf 33 2
buffalo 24 6
buildah 8 4
buildkite-agent 26 0
bun 20 4
bundle 21 3
bundler 21 3
bunny 26 0
bunnycdn 26 0
bunx 25 1
bunzip2 4 13
bup 2 7
busybox 29 61
butler 45 0
bw 39 7
bwrap 37 5
bws 36 3
byobu 48 4
bytebase 24 6
bzcat 49 1
bzgrep 38 1
bzip2 4 23
cabal 21 11
cacls 53 13
caesar 39 21
caffeinate 29 14
calicoctl 26 0
cancel 23 9
cap 32 16
capistrano 32 16
capp 26 0
capsh 30 12
cargo 21 0
carthage 21 11
casperjs 20 54
cat 49 0
catchsegv 29 3
cc-bash-guard 0 5
cc-safety-net 0 5
ccat 39 23
ccdecrypt 39 23
ccencrypt 39 23
ccloud 26 0
ccloud-cli 26 0
ccr 0 0
ccrypt 39 23
cdk 32 2
cdklocal 32 2
cdktf 32 2
celery 44 9
certutil 53 16
cf 26 0
cf-agent 32 12
cf-terraforming 26 0
cfdisk 13 8
cgdb 11 1
cgdisk 13 10
cgexec 29 23
chage 47 7
chalice 32 2
chamber 15 10
changeset 33 5
chargebee 36 0
chattr 9 30
chayang 29 12
chc 42 7
checkpoint-computer 27 16
chef 32 12
chef-client 32 12
chef-solo 32 12
chez 20 28
chfn 47 10
chgrp 9 29
chisel 50 3
chkconfig 40 22
chmod 9 28
choco 46 0
chokidar 40 19
chokidar-cli 40 19
choom 29 24
chown 9 29
chpasswd 47 5
chpst 29 47
chromepass 39 17
chronic 29 5
chroot 37 0
chrt 29 30
chsh 47 0
cilium 26 0
cinc-client 32 12
cinder 26 0
cipher 53 4
circleci 26 0
circuitpython 20 0
circusctl 40 17
civo 26 0
cksum 9 47
claude 0 0
claude-code 0 0
claude-hooks 0 5
clear-content 28 7
clear-disk 27 4
clear-eventlog 27 5
clear-history 27 5
clear-item 28 7
clear-physicaldisk 27 4
clear-recyclebin 27 15
cleavr 26 0
clerk 26 0
clever 26 0
cli53 26 0
clickhouse 42 7
clickhouse-client 42 7
clickhouse-local 42 7
cline 0 0
clip.exe 39 18
clippy-driver 3 8
clisp 20 33
clj 20 28
clojure 20 28
cloudctl 26 0
cloudflare 26 0
cloudflared 50 1
cloudstack 26 0
clush 35 5
clusterctl 26 0
clusterdb 10 7
cmake 3 2
cmd 28 1
cmdkey 53 26
cmk 26 0
cmp 4 4
cmstp 53 19
cn 0 0
cnpm 25 0
cntb 26 0
cockroach 42 12
cockroach-cloud 26 0
cockroach-sql 42 0
code 3 6
code-insiders 3 6
code-server 3 6
codebuddy 0 0
codemagic-cli-tools 26 0
codex 0 1
codium 3 6
cody 0 0
colima 51 10
colmena 32 16
colordiff 38 8
column 49 30
comm 49 15
command_not_found_handle 29 62
commix 31 53
composer 21 4
compress 4 22
conan 33 3
concourse 26 0
concurrently 3 8
conda 34 5
condor_run 40 18
configcat 26 0
confluent 26 0
conhost 53 29
conjur 36 3
conntrack 47 36
conpty 48 13
console 24 5
consul 26 0
consul-admin 26 0
contabo 26 0
continue 0 0
control 53 19
convertfrom-securestring 28 23
convex 24 6
convox 26 0
cool-retro-term 48 9
copilot 0 3
copilot-cli 32 2
copy-item 28 12
corepack 25 2
coscli 5 9
coscmd 5 9
courier 36 1
coverage 3 7
cp 9 16
cpack 3 4
cpan 21 11
cpanm 21 11
cpio 1 11
cpulimit 29 34
cpython 20 0
cqlsh 42 6
cqlsh-astra 42 6
crackmapexec 35 13
crane 8 8
crash 42 8
createdb 10 3
createuser 10 4
creddump 39 17
credstash 39 11
crictl 8 2
croc 19 32
cronnext 40 31
crontab 40 25
cross-env 15 1
cross-env-shell 15 1
crossplane 26 0
crush 0 0
cryptcat 35 0
cryptsetup 13 22
crystal 20 39
cscript 53 21
csh 41 2
csharprepl 20 53
csi 20 31
csplit 9 34
csrutil 47 13
ctest 3 3
ctr 8 3
curl 19 0
curlie 19 0
cursor 0 0
cursor-agent 0 0
cut 49 33
cypher-shell 42 14
cypress 3 8
d8 20 55
daemonize 37 10
dagster 26 0
dart 33 6
dasel 16 9
dash 41 0
dashlane 39 7
databricks 26 0
databricks-sql 42 8
datadog-ci 26 0
date 47 19
db-migrate 24 6
db2 42 10
dbaccess 42 8
dbcli 42 8
dbclient 43 0
dbdeploy 24 6
dbmate 24 6
dbt 7 5
dbtcloud 26 0
dbus-launch 29 6
dbus-run-session 29 7
dc 20 64
dc3dd 9 27
dcfldd 9 27
dcg 0 5
dcli 39 7
dd 9 27
dd_rescue 13 14
ddrescue 13 14
debugfs 13 49
deck 26 0
deepin-terminal 48 9
defaults 47 37
del 28 3
del-cli 9 2
delgroup 47 1
delpart 13 39
delta 38 12
deltree 28 6
deluser 47 1
delv 31 3
deno 20 3
dep 32 16
deploy-rs 32 16
deployer 32 16
deta 26 0
detach 29 3
devcontainer 3 5
devin 0 0
devspace 26 0
devtunnel 50 3
df 40 59
dgraph 42 8
dhclient 47 33
diesel 24 6
diff 38 7
diff3 38 10
difft 38 13
dig 31 0
dir 16 12
dirb 31 32
dirbuster 31 33
directus 24 6
direnv 15 3
dirname 22 5
disable-adaccount 27 9
disable-bitlocker 27 7
disable-computerrestore 27 7
disable-localuser 27 9
disable-netadapter 27 11
disable-netfirewallrule 27 7
disable-scheduledtask 27 8
disable-service 27 1
disable-windowsoptionalfeature 27 7
discordo 23 5
diskpart 53 5
diskshadow 53 0
diskutil 13 34
dismount-vhd 27 14
django-admin 24 4
django-admin.py 24 4
dkms 47 17
dmesg 40 37
dmidecode 40 63
dmsetup 13 32
dnf 46 0
dnf-config-manager 46 6
dnf5 46 0
dnscat 50 2
dnscat2 50 2
dnscontrol 26 0
dnslookup 31 6
dnsrecon 31 50
dnsx 31 9
doas 30 1
docker 8 0
docker-compose 8 1
docker-credential-desktop 39 12
docker-credential-ecr-login 39 12
docker-credential-gcloud 39 12
docker-credential-osxkeychain 39 12
docker-credential-pass 39 12
docker-credential-secretservice 39 12
docker-credential-wincred 39 12
docker.io 8 0
doctl 26 0
doctrine 24 5
doctrine-migrations 24 5
dog 31 5
doggo 31 4
doit 3 5
dokku 26 0
doppler 15 12
dos2unix 49 23
dotenv 15 2
dotenv-cli 15 2
dotenv-vault 15 2
dotenvx 15 2
dotnet 21 8
dotnet-fsi 20 53
dotnet-script 20 53
dotool 48 12
dpaste 19 33
dpkg 46 4
dpkg-query 46 10
dploot 39 17
dracut 13 54
dragonfly-cli 44 2
drill 31 1
drizzle-kit 24 6
droid 0 0
drone 26 0
dropbear-send 19 31
dropdb 10 1
dropuser 10 2
drush 24 6
dscl 47 1
dseditgroup 47 11
dsh 35 5
dtach 48 7
du 9 40
dub 21 11
duckdb 42 3
duk 20 60
dumb-init 29 16
dump 13 14
dumpcap 31 64
duplicacy 2 9
duplicity 2 5
dvc 7 2
e2fsck 13 46
e2image 13 14
e2label 13 39
eas 26 0
easy_install 34 7
eatmydata 29 3
eb 26 0
ebtables 47 28
ecl 20 34
ecs-cli 26 0
ed 14 0
edb-psql 42 0
edgedb 42 8
efibootmgr 13 52
egrep 38 0
eksctl 26 0
elasticdump 7 7
electron 20 1
electron-builder 45 4
elinks 19 10
elixir 20 26
elvish 41 3
emacs 14 2
emacsclient 14 3
emerge 46 3
empty 48 16
emqx 26 0
emqx_ctl 26 0
emulator 12 1
enable-localuser 27 9
enable-psremoting 27 8
entr 52 3
enum4linux 31 52
env 15 0
env-cmd 15 1
envchain 15 13
envdir 29 42
envoyer 26 0
envuidgid 29 45
envwarden 39 11
eopkg 46 0
erl 20 27
esbuild 3 8
escript 20 40
esentutl 53 28
eslint 3 8
esmtp 23 3
esno 20 2
espefuse 12 5
espefuse.py 12 5
esptool 12 6
esptool.py 12 6
esxcli 26 0
et 43 0
etcdadm 26 0
etcdctl 44 5
ethtool 47 34
ettercap 31 44
evans 19 17
evil-winrm 35 13
ex 14 1
exa 16 13
executor 8 6
exim 23 3
exim4 23 3
exo 26 0
exoscale 26 0
expand 49 18
expect 48 2
expo 26 0
export-clixml 28 8
export-csv 28 8
expose 50 2
eza 16 13
fab 32 16
fabric 32 16
factor 49 28
fakeroot 29 15
faketime 29 44
faketty 48 13
fallocate 9 20
fastboot 12 2
fastlane 32 15
fastly 26 0
fd 1 1
fdesetup 47 14
fdfind 1 1
fdisk 13 8
fdupes 1 16
fennel 20 38
feroxbuster 31 46
fetch 19 8
ffsend 19 31
ffuf 31 31
fgrep 38 0
fierce 31 51
file 9 37
finch 8 0
find 1 0
findmnt 40 61
finger 31 21
firebase 26 0
firejail 37 6
firewall-cmd 47 30
fish 41 1
fj 17 1
fl0 26 0
flake8 3 13
flarectl 26 0
flask-db 24 6
flatpak 46 0
fleet 6 3
flipt 26 0
flit 34 6
flock 52 6
flutter 33 6
flux 6 3
fly 26 0
flyctl 26 0
flyway 24 6
fmt 49 17
fnm 15 7
fold 49 32
foot 48 9
forfiles 53 23
forfiles.exe 53 29
forge 0 0
forge-cli 26 0
format 13 56
format-hex 28 9
format-volume 27 4
format.com 13 17
fping 31 12
free 40 48
frpc 50 3
frps 50 2
fsarchiver 13 14
fsck 13 47
fsck.ext2 13 46
fsck.ext3 13 46
fsck.ext4 13 46
fsi 20 53
fstrim 13 42
fsutil 53 3
ftp 35 6
funzip 4 14
fuser 22 15
fusionauth 26 0
fx 16 10
gallery-dl 19 14
gandi 26 0
garden 26 0
gawk 16 2
gb2sum 9 51
gbase32 4 6
gbase64 4 5
gbasename 22 4
gbasenc 4 7
gcat 49 0
gchgrp 9 29
gchmod 9 28
gchown 9 29
gcksum 9 47
gcloud 5 1
gcmp 4 4
gcomm 49 15
gcp 9 16
gcsplit 9 34
gcut 49 33
gdb 11 1
gdb-multiarch 11 1
gdd 9 27
gdiff 38 7
gdir 16 12
gdirname 22 5
gdisk 13 10
gdu 9 40
gel 42 8
gem 21 2
gemini 0 2
gemini-cli 0 2
genv 15 0
get-childitem 28 10
get-ciminstance 27 13
get-clipboard 28 22
get-content 28 9
get-item 28 10
get-process 27 2
get-service 27 2
get-storedcredential 28 23
get-wmiobject 27 13
getconf 40 65
getent 22 10
getfacl 9 44
gexpand 49 18
gfactor 49 28
gfind 1 0
gfmt 49 17
gfold 49 32
gforth 20 52
ggrep 38 0
ggzip 4 21
gh 17 0
ghc 20 23
ghci 20 24
ghead 49 12
ghostty 48 9
gigalixir 26 0
ginstall 9 17
gio 9 14
gio-trash 9 10
gist 19 34
git 18 0
git-credential-cache 39 12
git-credential-libsecret 39 12
git-credential-manager 39 12
git-credential-manager-core 39 12
git-credential-osxkeychain 39 12
git-credential-store 39 12
git-credential-wincred 39 12
git-filter-repo 18 2
git-send-email 23 4
gitlab-rails 24 1
gitlab-rake 26 0
gitlab-runner 26 0
gjoin 49 16
gjs 20 54
gksu 30 4
gksudo 30 4
glab 17 1
glance 26 0
gln 9 18
gls 16 12
gmake 3 0
gmd5sum 9 49
gmkdir 9 19
gmktemp 9 35
gmv 9 15
gnl 49 10
gnome-terminal 48 9
gnumfmt 49 27
gnuplot 20 46
go 21 1
goawk 16 5
gobuster 31 30
god 4 0
godaddy 26 0
goenv 15 5
gof3r 5 9
gofmt 3 16
goimports 3 17
gojq 16 6
golang-migrate 24 6
golangci-lint 3 8
goose 0 0
gopass 39 5
gosh 20 35
gost 50 2
gosu 29 40
gotty 50 5
govc 26 0
gp 20 51
gparted 13 12
gpasswd 47 6
gpaste 49 31
gpatch 9 53
gpg 39 1
gpg1 39 1
gpg2 39 1
gpr 49 20
gprintenv 39 0
gpt-engineer 0 0
gptme 0 0
gptx 49 26
gradle 21 6
gradlew 21 6
grafana 26 0
grafana-cli 26 0
grafanactl 26 0
graphile-migrate 24 6
greadlink 22 7
grealpath 22 6
grep 38 0
grm 9 0
grmdir 9 4
grok 0 0
groovy 20 15
groovysh 20 16
groupadd 47 2
groupdel 47 4
groupmod 47 1
groups 40 53
growthbook 26 0
grpcurl 19 16
grsync 43 4
grub-install 13 51
grub-mkconfig 13 51
grub2-install 13 51
grub2-mkconfig 13 51
grunt 3 5
gs-netcat 50 2
gsecdump 39 17
gsed 16 0
gsha1sum 9 49
gsha224sum 9 49
gsha256sum 9 49
gsha384sum 9 49
gsha512sum 9 49
gshred 9 8
gsocket 50 2
gsort 49 14
gsplit 9 33
gstrings 4 3
gsum 9 48
gsutil 5 2
gtac 49 5
gtail 49 13
gtar 1 4
gtee 9 25
gtime 29 13
gtimeout 29 28
gtouch 9 23
gtr 49 34
gtrash 9 9
gtruncate 9 24
gtsort 49 25
guile 20 30
guix 46 0
gulp 3 5
gunexpand 49 19
guniq 49 29
gunlink 9 5
gunzip 4 11
gvdir 16 12
gvim 14 4
gwc 9 46
gxargs 1 2
gzcat 49 2
gzip 4 21
h2 42 8
hadolint 3 22
hadoop 7 8
halt 40 7
happy 0 0
hashcat 31 61
hashdump 39 17
hasura 24 6
hatch 34 4
hcloud 26 0
hcloud-cli 26 0
hd 4 1
hdfs 7 8
hdiutil 12 4
hdparm 13 18
head 49 12
heaptrack 29 49
heat 26 0
heirloom-mailx 23 0
helix 14 8
helm 6 1
helm-plugin 21 14
helm3 6 1
helmfile 6 1
hermes 20 61
heroku 26 0
hex 21 10
hexdump 4 1
hey 19 22
hf 7 3
hg 18 3
himalaya 23 5
himalaya-send 23 4
hindsight 39 17
hive 42 8
holesail 50 2
honeycomb 26 0
host 31 7
hostid 40 40
hostname 47 22
hostnamectl 47 22
hotspot 29 48
hping3 31 13
ht 19 3
htop 40 47
http 19 2
httpie 19 35
https 19 2
huaweicloud 26 0
hub 17 1
huggingface-cli 7 3
hush 41 0
husky 3 5
hwatch 52 2
hwc 26 0
hwclock 47 21
hx 14 8
hy 20 37
hydra 31 35
hyperfine 52 5
hypertele 50 2
i386 29 8
ibmcloud 26 0
icacls 53 13
iconv 49 22
id 22 9
idevicerestore 12 3
iex 20 26
ifconfig 47 33
ifdown 47 33
iflow 0 0
ifne 29 10
ifup 47 33
ij 42 8
img 8 7
impacket-psexec 35 13
impacket-secretsdump 39 17
impacket-wmiexec 35 13
impala-shell 42 8
import-clixml 28 9
import-csv 28 9
import-module 28 20
incus 51 7
infisical 15 12
influx 42 13
influxd 42 13
infracost 32 2
init 40 5
initdb 10 18
initialize-disk 27 4
inlets 50 3
insmod 47 16
insserv 40 24
install 9 17
installer 46 11
installutil 53 19
interpreter 0 0
inv 3 5
invoke 3 5
invoke-cimmethod 27 12
invoke-item 28 19
invoke-rc.d 40 13
invoke-restmethod 28 17
invoke-webrequest 28 17
invoke-wmimethod 27 12
io 20 40
iodine 50 4
ionice 29 26
iostat 40 50
ip 47 32
ip6tables 47 26
ip6tables-restore 47 30
ipfw 47 30
iptables 47 25
iptables-legacy 47 27
iptables-nft 47 27
iptables-restore 47 30
ipython 20 0
ipython3 20 0
irb 20 7
iredis 44 2
isort 3 14
isql 42 8
isql-fb 42 8
istioctl 26 0
iw 47 33
iwconfig 47 33
ix 19 33
jake 3 5
janet 20 36
jaq 16 6
java 20 20
jcli 26 0
jdbcsql 42 8
jdc 26 0
jdupes 1 17
jenkins-cli 26 0
jenkins-cli.jar 26 0
jenkins-jobs 26 0
jenv 15 5
jest 3 8
jimsh 20 14
jiti 20 2
jj 18 4
jjs 20 19
joe 14 9
john 31 60
join 49 16
join-path 28 11
journalctl 40 32
jq 16 6
jruby 20 6
js 20 54
jsc 20 56
jshell 20 21
jsr 33 0
jules 0 0
julia 20 25
julia-pkg 21 11
junie 0 0
jupyter 7 6
jupyter-lab 7 6
jupyter-notebook 7 6
jupyter-server 7 6
just 3 5
jython 20 0
k 6 0
k0s 26 0
k0sctl 26 0
k3d 26 0
k6 19 28
k9s 6 2
kaf 26 0
kafka-acls 44 7
kafka-acls.sh 44 7
kafka-configs 44 7
kafka-configs.sh 44 7
kafka-consumer-groups 44 7
kafka-consumer-groups.sh 44 7
kafka-delete-records 44 7
kafka-delete-records.sh 44 7
kafka-leader-election 44 7
kafka-reassign-partitions 44 7
kafka-reassign-partitions.sh 44 7
kafka-storage 44 7
kafka-storage.sh 44 7
kafka-topics 44 7
kafka-topics.sh 44 7
kafkacat 44 7
kak 14 10
kamal 32 16
kaniko 8 6
kapp 26 0
karma 3 8
kc 6 0
kcadm 26 0
kcadm.bat 26 0
kcadm.sh 26 0
kcat 44 7
kcat-admin 26 0
kcov 29 56
kctl 6 0
kdesu 30 6
kdesudo 30 5
kdig 31 2
keepassxc-cli 39 7
keeper 39 7
kernel-install 13 51
kexec 47 18
kextload 47 16
kextunload 47 16
keycloak 26 0
keyctl 39 10
keydb-cli 44 3
keyhub 36 3
keyring 39 9
keystone 24 6
keytool 12 9
kgx 48 9
kill 40 0
killall 40 2
killall5 40 2
kilo 0 0
kilocode 0 0
kind 26 0
kinsta 26 0
kiro 0 0
kiro-cli 0 0
kitty 48 10
kldload 47 16
kmod 47 17
knex 24 6
knife 32 12
kong 26 0
konsole 48 9
kopia 2 4
kops 26 0
kotlin 20 19
kotlinc 20 19
koyeb 26 0
kpartx 13 50
kpcli 39 7
krakend 26 0
krew 21 14
ksh 41 0
ksql 42 8
kube-score 6 2
kubeadm 26 0
kubecolor 6 0
kubeconform 6 2
kubectl 6 0
kubectl-argo-rollouts 26 0
kubectx 6 2
kubens 6 2
kubescape 6 2
kubeval 6 2
kustomize 6 2
kwallet-query 39 9
kwalletcli 39 9
kysely 24 6
laZagne.py 39 17
lagoon 26 0
last 40 40
lastlog 40 41
launchctl 40 20
launchdarkly 26 0
lazagne 39 17
lckdo 52 7
ld-linux-aarch64.so.1 29 59
ld-linux-armhf.so.3 29 59
ld-linux-x86-64.so.2 29 59
ld-linux.so.2 29 59
ld-musl-aarch64.so.1 29 60
ld-musl-x86_64.so.1 29 60
ld.so 29 59
ldcli 26 0
ldconfig 47 38
ldd 47 39
lefthook 3 5
lein 21 7
lemonsqueezy 36 0
lerna 3 5
less 49 6
lftp 35 7
libressl 39 19
ligolo 50 2
ligolo-ng 50 2
lima 51 8
lima-nerdctl 8 0
limactl 51 9
limit-eventlog 27 5
linkerd 26 0
links 19 10
links2 19 10
linode 26 0
linode-cli 26 0
lint-staged 3 8
linux32 29 8
linux64 29 8
liquibase 24 6
litecli 42 2
lksh 41 0
lldb 11 1
llm-agent 0 0
ln 9 18
locale 40 66
localectl 47 23
localhost.run 50 2
localtunnel 50 2
localxpose 50 3
locate 9 41
loclx 50 3
locust 19 29
loginctl 40 8
logname 22 8
logoff 53 14
logrotate 40 36
loksh 41 0
look 49 24
losetup 13 37
lpadmin 23 10
lpass 39 7
lprm 23 9
ls 16 12
lsattr 9 45
lsblk 40 56
lscpu 40 55
lsd 16 14
lsof 22 14
lspci 40 58
lssecret 39 9
lsusb 40 57
lt 50 2
ltrace 29 51
lua 20 10
lua5 20 10
luajit 20 10
luarocks 21 11
luau 20 10
lukemftp 35 6
lvchange 13 23
lvconvert 13 23
lvcreate 13 23
lvextend 13 24
lvm 13 16
lvreduce 13 26
lvremove 13 23
lvrename 13 23
lvresize 13 27
lwp-download 19 6
lwp-request 19 7
lxc 51 7
lxsudo 30 3
lxterminal 48 9
lynx 19 9
lz4 4 24
lz4cat 4 15
lzma 4 25
m4 20 63
mac2unix 49 23
machinectl 30 13
mage 3 5
magic-wormhole 19 31
magnum 26 0
mail 23 0
mailgun 36 1
mailsend 23 4
mailx 23 0
make 3 0
mamba 34 5
man 16 11
manage.py 24 4
mariadb 42 1
mariadb-admin 10 0
mariadb-dump 10 12
mariadbd-safe 10 22
mas 46 11
masscan 31 23
mate-terminal 48 9
materialize 42 8
matlab 20 49
matrix-commander 23 5
maven 21 5
mawk 16 3
maxima 20 50
mc 5 7
mcli 5 7
mclient 42 11
md5 9 52
md5sum 9 49
mdadm 13 29
medusa 24 6
memcached-tool 44 4
memccat 44 4
memcflush 44 4
memcping 44 4
memcrm 44 4
memcstat 44 4
memray 3 7
memusage 29 50
mentat 0 0
meson 3 5
messagebird 36 1
micro 14 7
microdnf 46 0
microk8s 26 0
micromamba 34 5
micropython 20 0
migrate 24 6
mikro-orm 24 6
mimikatz 39 17
mina 32 16
mingw32-make 3 0
minikube 26 0
minio-client 5 7
minisign 39 16
mise 15 4
mistral-vibe 0 0
mit-scheme 20 28
mix 24 2
mkdir 9 19
mkdosfs 13 3
mke2fs 13 0
mkfifo 9 21
mkfs 13 0
mkfs.bcachefs 13 0
mkfs.btrfs 13 0
mkfs.erofs 13 0
mkfs.exfat 13 0
mkfs.ext2 13 1
mkfs.ext3 13 1
mkfs.ext4 13 1
mkfs.f2fs 13 6
mkfs.fat 13 4
mkfs.jfs 13 0
mkfs.minix 13 0
mkfs.msdos 13 3
mkfs.nilfs2 13 0
mkfs.ntfs 13 5
mkfs.reiserfs 13 0
mkfs.udf 13 0
mkfs.vfat 13 3
mkfs.xfs 13 2
mkinitcpio 13 55
mklink 28 5
mknod 9 22
mkntfs 13 5
mkreiserfs 13 0
mksh 41 0
mkswap 13 0
mktemp 9 35
mlflow 7 4
mlocate 9 42
mocha 3 8
modprobe 47 16
molecule 32 10
mollie 36 0
monetdb 42 8
mongo 44 0
mongocli 26 0
mongodump 44 1
mongoexport 10 14
mongoimport 10 16
mongorestore 10 16
mongosh 44 0
mongostat 44 1
mongotop 44 1
monit 40 16
more 49 7
morph 32 16
mosh 43 1
mosquitto_ctrl 26 0
most 49 8
mount 13 35
move-item 28 13
mpack 23 4
mrsk 32 16
mruby 20 6
msbuild 53 19
msfconsole 31 40
msfvenom 31 41
mshta 53 18
msiexec 53 20
msmtp 23 3
mssql-cli 42 4
mtr 31 18
mujs 20 59
multipass 51 8
mussh 35 5
mutt 23 2
mv 9 15
mvn 21 5
mvnw 21 5
mycli 42 1
mydumper 10 13
myloader 10 16
mypy 3 12
mysql 42 1
mysqladmin 10 0
mysqld_safe 10 22
mysqldump 10 12
mysqlimport 10 16
mysqlsh 42 1
naabu 31 27
nah 0 5
namecheap 26 0
namei 9 43
nano 14 6
nashorn 20 19
nats 26 0
nawk 16 4
nbd-client 13 33
nc 35 0
nc.openbsd 35 0
nc.traditional 35 0
ncat 35 1
ncdu 1 14
ncftpget 35 9
ncftpput 35 8
ncli 26 0
ncrack 31 36
neomutt 23 2
neon 26 0
neonctl 26 0
nerdctl 8 0
nerdctl-compose 8 1
net 53 8
net1 53 8
netcat 35 0
netexec 35 13
netlify 26 0
netsh 53 9
netsh-firewall 47 30
netstat 40 52
networksetup 47 33
neutron 26 0
new-aduser 27 9
new-item 28 14
new-itemproperty 28 16
new-localuser 27 9
new-netfirewallrule 27 7
new-scheduledtask 27 8
new-service 27 8
newfs 13 0
newfs_apfs 13 0
newfs_hfs 13 0
newfs_msdos 13 0
newgrp 30 11
newlisp 20 28
newrelic 26 0
newusers 47 1
nexmo 36 1
next 3 8
nft 47 30
ngrep 31 66
ngrok 50 0
nhost 26 0
ni 25 0
nice 29 25
nikto 31 28
nimble 21 11
ninja 3 5
nix 46 0
nix-env 46 0
nix-shell 46 0
nixos-rebuild 32 16
njs 20 58
nkf 49 21
nl 49 10
nmap 31 22
nmcli 47 33
nocache 29 11
node 20 1
node-pg-migrate 24 6
nodejs 20 1
nodemon 3 8
nodenv 15 5
nodetool 44 10
nohup 29 3
nologin 41 0
nomad 26 0
nopaste 19 33
nordpass 39 7
northflank 26 0
noti 29 9
noti-send 23 5
nova 26 0
now 26 0
nox 3 5
npc 50 2
nping 31 14
npm 25 0
npm-run-all 3 8
nproc 40 64
nps 50 2
npx 25 1
nsenter 37 4
nslookup 31 6
ntdsutil 53 28
ntfsclone 13 14
ntfy 23 5
ntl 26 0
ntpdate 47 20
nu 41 3
nuclei 31 38
nuget 21 9
nullmailer-inject 23 3
numactl 29 32
numfmt 49 27
nushell 41 3
nutanix 26 0
nuxt 3 8
nvim 14 5
nvm 15 6
nvme 13 21
nvram 13 51
nwipe 13 17
nx 3 5
nxc 35 13
nzsql 42 8
objection 24 6
obsutil 5 9
oc 6 0
ocaml 20 41
oci 26 0
octave 20 44
octave-cli 20 45
octodns 26 0
od 4 0
odbcconf 53 19
oha 19 26
oksh 41 0
okta 26 0
okteto 26 0
op 39 6
opam 21 11
open-interpreter 0 0
openbao 36 2
opencode 0 0
openhands 0 0
openssl 39 19
openstack 26 0
opentofu 32 0
opsgenie 26 0
optimizely 26 0
optirun 29 22
oras 8 10
orb 51 8
ormolu 24 6
osascript 20 22
osh 41 0
osql 42 4
ossutil 5 9
ossutil64 5 9
out-file 28 8
outguess 39 25
ovhcloud 26 0
ovsx 33 1
p7zip 1 8
packer 32 13
pacman 46 0
paexec 53 24
pagekite 50 2
pagerduty 26 0
pantheon 26 0
pants 3 5
parallel 1 3
parallel-ssh 35 5
parcel 3 8
partclone.ext4 13 14
partclone.restore 13 14
parted 13 12
partimage 13 14
partprobe 13 15
partx 13 38
paru 46 0
pass 39 5
passage 39 5
passwd 47 6
paste 49 31
pastebinit 19 33
patator 31 37
patch 9 53
payload 24 6
paypal 36 0
pbincli 19 33
pbpaste 39 18
pcalua 53 29
pcre2grep 38 2
pcregrep 38 2
pct 51 2
pd 26 0
pdksh 41 0
pdm 34 0
pdsh 35 5
perf 29 58
perl 20 5
perl-rename 1 13
perl5 20 5
pfctl 47 30
pg_basebackup 10 15
pg_ctl 10 19
pg_ctlcluster 10 20
pg_dropcluster 10 17
pg_dump 10 10
pg_dumpall 10 11
pg_isready 10 8
pg_resetwal 10 17
pg_resetxlog 10 17
pg_restore 10 16
pg_upgrade 10 21
pgbackrest 2 12
pgbench 10 9
pgcli 42 0
pgrep 22 12
pgroll 24 6
phantomjs 20 54
phase 15 12
phinx 24 6
php 20 9
php-cgi 20 9
php-cli 20 9
php7 20 9
php8 20 9
phpenv 15 5
phpstan 3 19
phpunit 3 8
pi 0 0
piccolo 24 6
pico 14 6
picolisp 20 40
pidof 22 13
pigz 4 27
pinecone 26 0
ping 31 10
ping6 31 11
pinggy 50 2
pip 34 0
pipenv 34 0
pipx 34 1
pixi 34 4
pkexec 30 3
pkg 46 0
pkg_add 46 0
pkg_delete 46 0
pkill 40 1
plaid 36 0
plandex 0 0
planetscale 26 0
platform 26 0
playwright 3 8
please 29 3
plenv 15 5
plivo 36 1
plocate 9 42
ploi 26 0
pm2 40 17
pm2-deploy 32 16
pm2-system 40 14
pmset 40 9
pnetcat 35 0
pnpm 25 0
pnpm-dlx 25 1
pnpx 25 1
pod 21 12
podman 8 0
podman-compose 8 1
podman-remote 8 0
poe 3 5
poetry 34 4
pop 24 6
popeye 6 2
port 46 0
portal 19 31
porter 26 0
portmap 50 2
posh 41 0
postfix-sendmail 23 3
postmark 36 1
postsuper 23 8
poweroff 40 6
powershell 28 0
powershell-clip 39 18
powershell_ise 28 0
pr 49 20
pre-commit 3 5
prefect 26 0
prename 1 13
presentationhost 53 19
presto 42 8
presto-cli 42 8
prettier 3 9
prime-run 29 3
primusrun 29 3
printenv 39 0
prisma 24 0
prlctl 51 13
prlimit 29 33
proot 37 1
proton-pass 39 7
proxychains 29 19
proxychains-ng 29 19
proxychains4 29 19
prs 39 5
pry 20 8
ps 40 45
pscale 26 0
pscp 43 3
psexec 53 24
psexec.py 35 13
psexec64 53 24
psftp 43 5
psql 42 0
pssh 35 5
pstree 40 68
ptunnel 50 2
ptx 49 26
ptyrun 48 13
ptyxis 48 9
publish-module 45 6
publish-psresource 45 6
publish-script 45 6
pueue 40 17
pulsar-admin 26 0
pulsarctl 26 0
pulumi 32 1
pulumi-cli 32 1
puppet 32 12
push-location 28 15
pushover 23 5
pv 49 11
pvchange 13 23
pvcreate 13 23
pvecm 51 4
pvesm 51 3
pveum 51 5
pvmove 13 23
pvremove 13 23
pvresize 13 23
pw 47 1
pwsh 28 0
py 20 0
py.test 3 8
pyenv 15 5
pyinstrument 3 7
pylint 3 8
pypy 20 0
pypy3 20 0
pypykatz 39 17
pytest 3 8
python 20 0
python3 20 0
pythonw 20 0
q 0 0
qdrant 26 0
qjs 20 54
qm 51 1
qovery 26 0
qprint 39 21
qrcp 19 31
qshell 5 9
qterminal 48 9
questdb 42 8
quickjs 20 54
quickwit 26 0
qwen 0 0
rabbitmq-diagnostics 44 8
rabbitmq-plugins 44 8
rabbitmqadmin 26 0
rabbitmqctl 44 8
racket 20 29
raco 21 13
rage 39 2
rage-keygen 39 15
rails 24 1
railway 26 0
rake 24 1
raku 20 42
rakudo 20 43
rancher 26 0
rar 1 10
rathole 50 2
razorpay 36 0
rbash 41 0
rbenv 15 5
rbw 39 7
rbx 20 6
rc-service 40 12
rc-update 40 23
rclone 5 6
rd 28 4
rdesktop 35 13
rdiff-backup 2 6
rdmd 20 48
readlink 22 7
reagentc 53 1
realm 47 12
realpath 22 6
rebar3 21 10
reboot 40 7
recurly 36 0
redis-cli 44 2
redisctl 26 0
redli 44 2
refinery 24 6
reg 53 10
regasm 53 19
regctl 8 9
regedit 53 11
register-cimindicationevent 27 8
register-objectevent 27 8
register-scheduledjob 27 8
register-scheduledtask 27 8
register-wmievent 27 8
regsvcs 53 19
regsvr32 53 19
reindexdb 10 6
remake 3 0
remove-adgroup 27 9
remove-adobject 27 9
remove-adorganizationalunit 27 9
remove-aduser 27 9
remove-ciminstance 27 13
remove-eventlog 27 5
remove-item 28 2
remove-itemproperty 28 16
remove-localgroupmember 27 9
remove-localuser 27 9
remove-mppreference 27 7
remove-netfirewallrule 27 7
remove-netipaddress 27 11
remove-netroute 27 11
remove-partition 27 4
remove-service 27 1
remove-storagepool 27 4
remove-vhd 27 14
remove-virtualdisk 27 4
remove-vm 27 14
remove-vmsnapshot 27 14
remove-wmiobject 27 13
remsh 35 4
rename 1 13
rename-item 28 13
render 26 0
repoquery 46 7
resend 36 1
reset-physicaldisk 27 4
resize2fs 13 43
resizepart 13 39
resolve-path 28 10
resolvectl 47 34
responder 31 42
restart-computer 27 0
restart-service 27 1
restic 2 0
restore 13 14
restore-computer 27 17
resty 20 10
retry 52 9
rev 49 35
rexec 35 4
rg 38 4
rhino 20 57
rimraf 9 1
ripgrep 38 4
rke 26 0
rke2 26 0
rksh 41 0
rlogin 35 4
rlwrap 29 20
rm 9 0
rman 42 5
rmdir 9 4
rmlint 1 15
rmmod 47 16
rmtrash 9 11
rnano 14 6
robocopy 53 15
rollbar 26 0
rollup 3 8
roo 0 0
rot13 39 21
route 47 33
route53 26 0
rovodev 0 0
rpcclient 35 11
rpk 26 0
rpm 46 5
rpm-ostree 46 0
rpmkeys 46 6
rqlite 42 8
rr 29 53
rsh 35 4
rspec 3 8
rsql 42 8
rsync 43 4
rsyslogd 40 38
rtk 29 3
rtx 15 4
rubocop 3 8
ruby 20 6
ruff 3 8
run-p 3 8
run-parts 20 62
run-s 3 8
run0 30 2
runas 53 25
rundll32 53 19
runghc 20 24
runhaskell 20 24
runuser 30 9
rush 3 5
rust-gdb 11 1
rust-lldb 11 1
rustfmt 3 18
rustic 2 1
rustscan 31 25
rvim 14 4
rvm 15 9
rxvt 48 9
rye 34 4
rzsh 41 0
s-nail 23 0
s3cmd 5 8
s3fs-cli 5 9
s4cmd 5 8
s5cmd 5 8
s6-applyuidgid 29 41
s6-envdir 29 43
s6-setuidgid 29 40
s6-svc 40 14
sage 20 40
salt 32 11
salt-call 32 11
salt-cloud 26 1
salt-key 32 11
salt-run 32 11
salt-ssh 32 11
sam 32 2
saml2aws 15 11
samlocal 32 2
samply 29 54
sandbox-exec 37 7
sanoid 2 20
sbatch 40 18
sbcl 20 32
sbd 35 0
sbt 21 7
sc 53 7
sc.exe 53 7
scala 20 17
scala-cli 20 17
scalene 3 7
scalingo 26 0
scancel 7 0
scheme 20 28
schtasks 53 6
scons 3 5
scontrol 7 1
scoop 46 0
scp 43 3
screen 48 5
script 48 0
scriptrunner 53 29
scrub 13 20
scutil 47 33
scw 26 0
sd 16 1
sdiff 38 9
sdparm 13 17
sea-orm-cli 24 6
secret-tool 39 9
secretsdump.py 39 17
secure-delete 13 17
security 39 8
sed 16 0
seed 20 54
select-string 28 9
semantic-release 33 4
semodule 47 13
send-cli 19 31
send-mailmessage 28 21
sendEmail 23 4
sendemail 23 4
sendgrid 36 1
sendmail 23 3
sendme 19 31
sensors 40 62
sentry 26 0
sentry-cli 26 0
sequelize 24 6
sequelize-cli 24 6
serveo 50 2
serverless 32 2
service 40 11
set-acl 27 10
set-adaccountpassword 27 9
set-content 28 8
set-disk 27 4
set-dnsclientserveraddress 27 11
set-executionpolicy 27 6
set-item 28 16
set-itemproperty 28 16
set-localuser 27 9
set-location 28 15
set-mppreference 27 7
set-netfirewallprofile 27 7
set-psdebug 27 7
set-scheduledtask 27 8
set-service 27 1
setarch 29 36
setcap 9 32
setenforce 47 13
setfacl 9 31
setlock 52 8
setoolkit 31 28
setpriv 29 38
setsebool 47 13
setsid 29 0
setuidgid 29 40
setx 53 27
sfdisk 13 9
sftp 43 5
sg 30 10
sgdisk 13 11
sh 41 0
sha1sum 9 49
sha224sum 9 49
sha256sum 9 49
sha384sum 9 49
sha512sum 9 49
shards 21 11
shasum 9 50
shellcheck 3 20
shellfirm 0 5
shellinabox 50 5
shfmt 3 21
shipit 32 16
shopify 26 0
shorebird 45 3
shred 9 8
shutdown 40 5
shx 9 3
siege 19 25
signal-cli 23 5
signalwire 36 1
sish 50 2
skaffold 26 0
skeema 24 6
skill 40 3
skopeo 8 5
slack-cli 23 5
slackcat 23 5
slogin 43 0
slowhttptest 19 30
sls 32 2
smbclient 35 11
smbexec.py 35 13
smbget 35 12
smbmap 35 11
smtp-cli 23 4
snap 46 0
snapcraft 45 2
snapper 2 18
snow 26 0
snow-sql 42 8
snowsql 42 8
socat 35 2
socat1 35 2
socat2 35 2
soda 24 6
softlimit 29 46
softwareupdate 46 11
sops 39 3
sort 49 14
spark-sql 42 9
spctl 47 13
split 9 33
split-path 28 11
splunk 26 0
sponge 9 26
sprunge 19 33
sqitch 24 6
sql 42 5
sql-migrate 24 6
sqlcipher 42 2
sqlcl 42 5
sqlcmd 42 4
sqlite 42 2
sqlite-utils 42 2
sqlite3 42 2
sqlmap 31 29
sqlplus 42 5
sqlx 24 6
square 36 0
squawk 24 6
srm 9 6
ss 40 51
ssh 43 0
ssh-add 39 13
ssh-copy-id 43 6
ssh-keygen 39 14
ssh-keyscan 43 7
sshd 43 8
sshpass 43 2
sshpass-ssh 43 0
sshuttle 50 7
sshuttle-server 50 5
sshx 50 5
ssmtp 23 3
sst 32 2
st 48 9
stack 21 11
stack-runghc 20 24
stacks 32 2
start-bitstransfer 28 18
start-stop-daemon 37 9
stat 9 38
staticcheck 3 15
statsig 26 0
stdbuf 29 27
steamcmd 45 1
steamcmd.sh 45 1
steghide 39 24
step-ca 26 0
stern 6 2
stop-computer 27 0
stop-process 27 3
stop-service 27 1
stop-vm 27 14
strace 11 0
strapi 24 6
strings 4 3
stripe 36 0
stunnel 50 2
stylelint 3 8
su 30 8
su-exec 29 40
subfinder 31 49
sudo 30 0
sum 9 48
supabase 26 0
supervisorctl 40 15
surge 26 0
surreal 42 8
suspend-bitlocker 27 7
suspend-service 27 1
sv 40 14
svc 40 14
svn 18 5
swaks 23 4
swapoff 13 40
swapon 13 41
swc 3 8
swc-node 20 2
swe-agent 0 0
sweep 0 0
swift 5 10
swift-cli 26 0
swiftenv 15 5
swupd 46 0
symfony 24 5
sysadminctl 47 1
sysctl 47 15
syslogd 40 38
systemctl 40 10
systemctl-reboot 40 5
systemd-cat 29 2
systemd-inhibit 29 1
systemd-nspawn 37 2
systemd-run 37 8
systemsetup 40 9
t 23 5
tac 49 5
tail 49 13
tailscale 50 2
tailscaled 50 2
takeown 53 12
talosctl 26 0
tap 3 8
tar 1 4
tarantool 20 11
tarsnap 2 8
tart 51 15
task 3 5
taskkill 40 1
taskset 29 31
tc 47 33
tccli 26 0
tccutil 47 13
tclsh 20 14
tcpdump 31 62
tcpflow 31 67
tcptraceroute 31 19
tcsh 41 2
tctl 26 0
tdnf 46 0
tea 17 1
teamcity 26 0
tee 9 25
tee-object 28 8
telebit 50 2
teleconsole 50 5
telegram-send 23 5
telepresence 26 0
telinit 40 5
teller 15 12
telnet 35 3
tempfile 9 36
temporal 26 0
termbin 19 33
terminator 48 9
terminus 26 0
termite 48 9
tern 24 6
terraform 32 0
terragrunt 32 0
terramate 32 0
test-path 28 11
texlua 20 10
tf 32 0
tfenv 15 5
tflocal 32 2
tftp 35 10
tg 32 0
thycotic 36 3
tidb-client 42 1
tigris 26 0
tilix 48 9
tilt 26 0
time 29 13
timedatectl 47 20
timelimit 29 29
timeout 29 28
timescale 26 0
timeshift 2 17
timeshift-cli 2 17
tini 29 39
tirith 0 5
tkn 26 0
tlmgr 21 11
tmate 50 5
tmutil 2 16
tmux 48 3
tnftp 35 6
tofu 32 0
tomlq 16 8
toot 23 5
top 40 46
torify 29 18
torsocks 29 17
touch 9 23
tox 3 5
toybox 29 61
tr 49 34
tracepath 31 17
traceroute 31 16
traceroute6 31 16
trae 0 0
traefik 26 0
transfer.sh-cli 19 31
transfersh 19 31
trash 9 9
trash-empty 9 12
trash-put 9 9
trash-rm 9 13
travis 26 0
tree 9 39
trickle 29 35
trino 42 8
trino-cli 42 8
truffleruby 20 6
truncate 9 24
ts-node 20 2
ts-node-dev 20 2
tsc 3 10
tsh 43 0
tsh-secrets 36 3
tshark 31 63
tsimp 20 2
tskill 40 1
tsocks 29 17
tsort 49 25
tsql 42 4
tsx 20 2
tty 40 67
ttyd 50 5
ttyrec 48 15
tune2fs 13 45
turbo 3 5
turso 26 0
tweet 23 5
twilio 36 1
twine 34 6
txiki 20 54
tyk 26 0
typeorm 24 6
typeorm-ts-node-commonjs 24 6
uftrace 29 52
ufw 47 31
ug 38 3
ugrep 38 3
ulimit 47 24
umount 13 36
umpire 0 4
umpire-sh 41 0
umzug 24 6
uname 40 54
unbrotli 4 20
unbuffer 29 4
uncompress 4 12
unexpand 49 19
unicornscan 31 26
uninstall-windowsfeature 27 7
uniq 49 29
unix2dos 49 23
unix2mac 49 23
unleash 26 0
unlink 9 5
unlz4 4 16
unlzma 4 17
unpigz 4 19
unrar 1 9
unregister-scheduledtask 27 8
unshare 37 3
unxz 4 17
unzip 1 7
unzstd 4 18
up-cli 32 2
upcli 5 9
upctl 26 0
update-alternatives 47 38
update-ca-certificates 47 38
update-grub 13 51
update-initramfs 13 51
update-rc.d 40 21
upstash 26 0
upsun 26 0
upterm 50 6
uptime 40 44
urpmi 46 0
urxvt 48 9
useradd 47 1
userdel 47 3
usermod 47 1
usql 42 8
utmctl 51 14
uudecode 4 9
uuencode 4 10
uv 34 2
uvx 34 3
uxterm 48 9
v8 20 54
vacuumdb 10 5
vagrant 32 14
valgrind 29 48
valkey-cli 44 3
vapor 26 0
vault 36 2
vaultcmd 53 26
vboxmanage 51 11
vcluster 26 0
vcpkg 21 11
vdir 16 12
vegeta 19 24
velero 26 0
veracrypt 13 22
vercel 26 0
vernemq 26 0
vertica-sql 42 8
vgcfgrestore 13 28
vgchange 13 23
vgcreate 13 23
vgextend 13 23
vgmerge 13 23
vgreduce 13 25
vgremove 13 23
vgrename 13 23
vgsplit 13 23
vi 14 4
vibe 0 0
vibe-kanban 0 0
viddy 52 1
view 14 4
vigr 47 8
vim 14 4
vim-cmd 26 0
vimdiff 14 4
vipw 47 8
virsh 51 0
visudo 47 9
vite 3 8
vitest 3 8
viztracer 3 7
vlt 39 11
vmrun 51 12
vmstat 40 49
volta 15 8
vonage 36 1
vsce 33 1
vscodium 3 6
vsql 42 0
vssadmin 47 40
vtune 29 55
vultr 26 0
vultr-cli 26 0
vzctl 51 6
w 40 43
w3m 19 11
waf 3 5
wait-on 3 8
wal-g 2 13
wall 23 6
warp-agent 0 0
watch 52 0
watchexec 52 4
waypoint 26 0
wbadmin 47 40
wc 9 46
wdiff 38 11
weaviate 26 0
webpack 3 8
websocat 19 18
werf 26 0
wetty 50 5
wevtutil 40 35
wezterm 48 11
wfuzz 31 34
wg 47 33
wg-quick 47 33
wget 19 1
wget2 19 1
wgetpaste 19 33
whatweb 31 47
whence 22 2
where 22 1
whereis 22 3
which 22 0
who 40 42
whoami 22 8
whois 31 20
windsurf 0 0
winexe 35 13
wing 32 2
winget 46 0
winglang 32 2
winpty 48 14
wipe 9 7
wipefs 13 7
wireshark 31 65
wiretap 50 2
wish 20 14
with-contenv 29 3
wl-paste 39 18
wmic 53 22
wmiexec.py 35 13
woodpecker-cli 26 0
workos 26 0
wormhole 19 31
wp 24 6
wpscan 31 39
wrangler 26 0
write 23 7
wrk 19 21
wscat 19 19
wscript 53 21
wsl 37 11
wtype 48 12
x-terminal-emulator 48 9
x86_64 29 8
xargs 1 2
xbps-install 46 0
xbps-remove 46 0
xcacls 53 13
xclip 39 18
xcrun 12 8
xdg-user-dir 22 11
xdotool 48 12
xfce4-terminal 48 9
xfreerdp 35 13
xfs_growfs 13 44
xfs_repair 13 48
xfsdump 13 14
xfsrestore 13 14
xh 19 3
xhs 19 3
xkill 40 4
xonsh 41 3
xq 16 8
xsel 39 18
xsser 31 54
xterm 48 9
xtrabackup 2 15
xvfb-run 29 21
xvkbd 48 12
xxd 4 8
xxh128sum 4 2
xxh32sum 4 2
xxh64sum 4 2
xxhash 4 2
xxhsum 4 2
xz 4 25
xzcat 49 3
xzgrep 38 1
yarn 25 0
yarn-dlx 25 1
yash 41 0
yay 46 0
yc 26 0
ydb 42 8
ydotool 48 12
you-get 19 15
youtube-dl 19 13
yoyo 24 6
yq 16 7
ysqlsh 42 8
yt-dlp 19 13
ytt-kapp 26 0
yum 46 0
yum-config-manager 46 6
zappa 32 2
zaproxy 31 56
zbackup 2 10
zcat 49 2
zeet 26 0
zegrep 38 1
zellij 48 6
zfgrep 38 1
zfs 13 30
zfs_format 13 0
zgrep 38 1
zip 1 6
zitadel 26 0
zkCli 44 6
zkCli.sh 44 6
zkcli 44 6
zmap 31 24
zpool 13 30
zrok 50 3
zsh 41 0
zstd 4 26
zstdcat 49 4
zstdgrep 38 1
zypper 46 2
`

var agentModels = []Model{
	{Names: "claude claude-code qwen cursor-agent cursor aider opencode goose droid q kiro-cli kiro crush cline cody plandex gptme open-interpreter interpreter sweep continue cn auggie rovodev forge pi vibe mistral-vibe junie jules warp-agent mentat gpt-engineer devin grok iflow kilocode kilo roo trae windsurf codebuddy openhands swe-agent llm-agent agentapi happy ccr vibe-kanban", Opts: "--permission-mode=_ --approval-mode=_ -a,--ask-for-approval=_ --sandbox?=_ -s=_ -c,--config=_ -m,--model=_ -p,--print -C,--cd=_ --settings=_ --mcp-config=_ --add-dir=_ --message=_ --append-system-prompt=_ --system-prompt=_ --allowedTools,--allowed-tools=_ --disallowedTools,--disallowed-tools=_ --output-format=_ --input-format=_ --profile=_ --auto=_ --approve-mode=_ --autonomy=_ --plugin-dir=_ --resume?=_", Do: doAgent},
	{Names: "codex", Opts: "-c,--config=_ --enable=_ --disable=_ -i,--image=r -m,--model=_ --oss --local-provider=_ -p,--profile=_ -s,--sandbox=_ -a,--ask-for-approval=_ --full-auto --dangerously-bypass-approvals-and-sandbox,--yolo -C,--cd=_ --search --add-dir=_ --no-alt-screen --skip-git-repo-check --output-schema=r -o,--output-last-message=w --json --color=_ --last --all --ephemeral", Do: doAgent},
	{Names: "gemini gemini-cli", Opts: "-m,--model=_ -p,--prompt=_ -i,--prompt-interactive=_ -s,--sandbox --sandbox-image=_ -d,--debug -a,--all-files --show-memory-usage -y,--yolo --approval-mode=_ --telemetry --checkpointing -e,--extensions=_ -l,--list-extensions --allowed-mcp-server-names=_ --allowed-tools=_ --include-directories=_ --screen-reader -o,--output-format=_ -r,--resume=_ --list-sessions --delete-session=_ --experimental-acp", Do: doAgent},
	{Names: "copilot amp", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Style: ShortValue, Do: doCopilot},
	{Names: "umpire", Opts: "--policy=_ --config=_ -C,--dir=_", Do: doUmpire},
	{Names: "cc-safety-net dcg nah shellfirm claude-hooks cc-bash-guard tirith agentsh", Do: doOtherGuard},
}

var archiveModels = []Model{
	{Names: "find gfind", Style: NoOptions, Do: doFind},
	{Names: "fd fdfind", Opts: "-e,--extension=_ -t,--type=_ -E,--exclude=_ -d,--max-depth=_ --min-depth=_ -S,--size=_ --changed-within=_ --changed-before=_ -c,--color=_ -j=_ --base-directory=D -o,--owner=_ --search-path=_ -H,--hidden -I,--no-ignore -u,--unrestricted -s,--case-sensitive -i,--ignore-case -g,--glob -F,--fixed-strings -a,--absolute-path -l,--list-details -L,--follow -p,--full-path -0,--print0 --prune -q,--quiet --exact-depth=_ --ignore-file=r --format=_ --max-results=_ -1 --one-file-system --strip-cwd-prefix?=_", Do: doFd},
	{Names: "xargs gxargs", Opts: "-I=_ -i,--replace?=_ -J=_ -n,--max-args=_ -P,--max-procs=_ -L=_ -l,--max-lines?=_ -d,--delimiter=_ -a,--arg-file=r -E=_ -e,--eof?=_ -s,--max-chars=_ --process-slot-var=_ -R=_ -S=_ -0,--null -r,--no-run-if-empty -t,--verbose -p,--interactive", Style: Strict, Do: doXargs},
	{Names: "parallel", Style: NoOptions, Do: doParallel},
	{Names: "tar gtar", Opts: "-f,--file=_ -C,--directory=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update --delete -T,--files-from=r -X,--exclude-from=r --exclude=_ -I,--use-compress-program=_ --to-command=P --checkpoint-action=_ --checkpoint?=_ -F,--info-script,--new-volume-script=P --rsh-command=P --rmt-command=P --transform,--xform=_ --strip-components=_ --owner=_ --group=_ --mode=_ -b=_ -H,--format=_ -K=_ -N,--newer,--after-date=_ -V,--label=_ -g,--listed-incremental=_ --remove-files -O,--to-stdout -P,--absolute-names --overwrite -z,--gzip -j,--bzip2 -J,--xz --zstd --lzma --lzip -a,--auto-compress -v,--verbose -k,--keep-old-files -m,--touch -p,--preserve-permissions -S,--sparse -h,--dereference -W,--verify -w,--interactive -l,--check-links -Z,--compress --add-file=r --index-file=w --exclude-ignore,--exclude-ignore-recursive,--exclude-tag,--exclude-tag-all,--exclude-tag-under=_ --group-map,--owner-map=r --mtime,--sort=_", Style: Bundled, Do: doTar},
	{Names: "bsdtar", Opts: "-f,--file=_ -C,--directory,--cd=D -x,--extract,--get -c,--create -t,--list -r,--append -u,--update -T,--files-from=r -X,--exclude-from=r --exclude=_ --include=_ -I=r -s=_ --strip-components=_ --uid=_ --gid=_ --uname=_ --gname=_ --owner=_ --group=_ --format=_ --options=_ --newer=_ --newer-mtime=_ --use-compress-program=c --passphrase=_ -b,--block-size=_ -O,--to-stdout -P,--absolute-paths -z,--gzip -j,--bzip2 -J,--xz --zstd -a,--auto-compress -v,--verbose -k -m -p -S -h -L -H -l -n -U,--unlink-first -w -q,--fast-read -B --acls --xattrs --fflags --mac-metadata --null", Style: Bundled, Do: doTar},
	{Names: "zip", Opts: "-b=_ -x=_ -i=_ -n=_ -P=_ -t=_ -tt=_ -O=w -TT,--unzip-command=P -m,--move -d,--delete -r,--recurse-paths -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -A -B -c -D -e,--encrypt -f,--freshen -F,--fix -FF -g,--grow -j,--junk-paths -J -k -l -L+inert -o -q,--quiet -R -S -T,--test -u,--update -v,--verbose -V -X -y,--symlinks -z -@ -sf", Args: "w r*", Do: doZip},
	{Names: "unzip", Opts: "-d=_ -x=_ -P=_ -l -v -t -p -Z -a -b -B -C -D -f -j -K -L -M -n -o -q -s -u -U -V -X -z", Do: doUnzip},
	{Names: "7z 7za 7zr p7zip", Do: doSevenZip},
	{Names: "unrar", Opts: "-y -ad -ep -id -idq -inul -kb -p- -r -v", Do: doSevenZip},
	{Names: "rar", Opts: "-y -r -df -ep -ep1 -id -inul -k -p- -s -t", Do: doSevenZip},
	{Names: "cpio", Opts: "-i,--extract -o,--create -p,--pass-through -F,--file=r -D,--directory=D -I=r -O=w --rsh-command=P -t,--list -0,--null -a,--reset-access-time -A,--append -b,--swap -B -c -C,--io-size=_ -d,--make-directories -E,--pattern-file=r -f,--nonmatching -H,--format=_ -k -l,--link -L,--dereference -m,--preserve-modification-time -M,--message=_ -n,--numeric-uid-gid -r,--rename -R,--owner=_ -s,--swap-bytes -S,--swap-halfwords -u,--unconditional -v,--verbose -V,--dot --sparse --no-absolute-filenames --absolute-filenames --quiet --to-stdout --only-verify-crc"},
	{Names: "ar", Opts: "--output=t", Args: "w r*", Style: Bundled},
	{Names: "rename prename perl-rename", Opts: "-e=_ -n,--nono,--no-act,--dry-run+inert -v,--verbose -f,--force -d,--filename,--nopath,--nofullpath -i,--interactive -0,--null -E=_", Args: "_ o*"},
	{Names: "ncdu", Opts: "-o=w -f=r -e,--extended --exclude=_ -X,--exclude-from=r -L,--follow-symlinks --color=_ --graph-style=_ --confirm-quit -0 -1 -2 -q,--slow-ui-updates -r -rr -x,--one-file-system --si --exclude-caches --exclude-kernfs --ignore-config -t,--threads=_ -c,--compress -O=w", Args: "i*"},
	{Names: "rmlint", Opts: "-T,--types=_ -o,--output=_ -O,--add-output=_ -c,--config=_ -z,--perms=_ -a,--algorithm=_ -s,--size=_ -d,--max-depth=_ -S,--rank-by=_ -n,--newer-than=_ -N,--newer-than-stamp=r -l,--hardlinked -L -f,--followlinks -F -x,--one-file-system -X -p,--paranoid -r,--hidden -R -b,--match-basename -B -e,--match-with-extension -i,--match-without-extension -D,--merge-directories -g,--progress -G -k,--keep-all-tagged -K,--keep-all-untagged -m,--must-match-tagged -M,--must-match-untagged -v -V -w -W", Args: "i*"},
	{Names: "fdupes", Opts: "-d,--delete -r,--recurse -R,--recurse: -s,--symlinks -H,--hardlinks -G,--minsize=_ -L,--maxsize=_ -n,--noempty -A,--nohidden -f,--omitfirst -1,--sameline -S,--size -t,--time -m,--summarize -q,--quiet -N,--noprompt -D,--deferconfirmation -p,--permissions -o,--order=_ -i,--reverse -l,--log=w -P,--plain -I,--immediate -c,--cache", Args: "i*", Do: doFdupes},
	{Names: "jdupes", Opts: "-d,--delete -r,--recurse -R,--recurse: -s,--symlinks -H,--hard-links -X,--ext-filter=_ -n,--no-empty -A,--no-hidden -f,--omit-first -1,--one-file-system -S,--size -t,--no-change-check -m,--summarize -M,--print-summarize -q,--quiet -N,--no-prompt -p,--permissions -o,--order=_ -i,--reverse -l,--link-soft -L,--link-hard -B,--dedupe -O,--param-order -P,--print=_ -C,--chunk-size=_ -Q,--quick -T,--partial-only -I,--isolate -j,--json -u,--print-unique -U,--no-trav-check -z,--zero-match -Z,--soft-abort -0,--print-null -y,--hash-db=w", Args: "i*", Do: doFdupes},
}

var backupModels = []Model{
	{Names: "restic", Opts: "-n,--dry-run+inert -r,--repo=_ -p,--password-file=_ --password-command=c -o=_ --tag=_ --host=_ --keep-last=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-yearly=_ --keep-hourly=_ --keep-within=_ --target,-t=_ --include=_ --exclude=_ --path=_ --repository-file=r --cacert=r --cache-dir=t --no-cache --no-lock --json -q,--quiet -v,--verbose --limit-upload=_ --limit-download=_ --key-hint=_ --tls-client-cert=r --compression=_ --pack-size=_ --retry-lock=_ --cleanup-cache --insecure-tls --prune -f,--force --one-file-system,-x --exclude-file=r --iexclude=_ --iexclude-file=r --exclude-caches --exclude-if-present=_ --exclude-larger-than=_ --files-from=r --files-from-raw=r --files-from-verbatim=r --stdin --stdin-filename=_ --parent=_ --time=_ --with-atime --group-by,-g=_ --delete --overwrite=_ --sparse --verify --read-data --read-data-subset=_ --max-unused=_ --unsafe-allow-remove-all", Do: doBackup},
	{Names: "rustic", Opts: "-n,--dry-run+inert -r,--repository,--repo=_ -p,--password-file=r --password-command=c -P,--use-profile=_ --log-level=_ --log-file=w --no-progress --no-cache --cache-dir=t --tag=_ --label=_ --keep-last,-l=_ --keep-daily,-d=_ --keep-weekly,-w=_ --keep-monthly,-m=_ --keep-yearly,-y=_ --keep-hourly,-H=_ --prune --glob=_ --exclude-if-present=_ --host=_ --json --filter-host=_ --filter-paths=_ --filter-tags=_ --delete --instant-delete --max-unused=_", Do: doBackup},
	{Names: "borg", Opts: "-n,--dry-run+inert --repo=_ -a,--glob-archives=_ --prefix=_ --keep-daily=_ --keep-weekly=_ --keep-monthly=_ --keep-last=_ --rsh=P --stanza=_ --exclude=_ -e=_ --list --stats,-s -v,--verbose,--info --debug -p,--progress -q --log-json --lock-wait=_ --remote-path=_ --umask=_ --upload-ratelimit=_ --force --save-space --keep-secondly=_ --keep-minutely=_ --keep-hourly=_ -H=_ -d=_ -w=_ -m=_ -y,--keep-yearly=_ --keep-within=_ --exclude-from=r --pattern=_ --patterns-from=r --exclude-caches --exclude-if-present=_ -x,--one-file-system -C,--compression=_ --comment=_ --json --json-lines --format=_ --first=_ --last=_ --strip-components=_ --numeric-ids --stdout --sparse --encryption=_ --append-only --storage-quota=_ --repair --verify-data --repository-only --archives-only --cache-only --threshold=_ --debug-profile=w", Do: doBackup},
	{Names: "borgmatic", Opts: "-c,--config=r -n,--dry-run+inert -v,--verbosity=_ --syslog-verbosity=_ --log-file=w --log-file-verbosity=_ --override=_ --no-color --repository=_ --archive=_ --stats --list --files --json --progress --destination=t --path=_ --strip-components=_ --prune-archives --force --match-archives=_", Sub: []Model{
		{Names: "delete", Effects: 2},
		{Names: "repo-delete", Effects: 4},
		{Names: "prune compact", Opts: "-n,--dry-run+inert", Effects: 2},
	}, Do: doBackup},
	{Names: "kopia", Opts: "--config-file=r -p,--password=_ --log-dir=t --log-level=_ --no-progress --json --all --delete --unsafe-ignore-source --description=_ --tags=_ --parallel=_ --override-username=_ --override-hostname=_ --path=t --bucket=_ --access-key=_ --secret-access-key=_ --endpoint=_ --keep-latest=_ --keep-daily=_ --safety=_ --full", Do: doBackup},
	{Names: "duplicity", Opts: "--dry-run+inert --force --encrypt-key=_ --sign-key=_ --exclude=_ --include=_ --exclude-filelist=r --include-filelist=r --full-if-older-than=_ --archive-dir=t --name=_ --volsize=_ --no-encryption --progress -v,--verbosity=_ -t,--time,--restore-time=_ --file-to-restore,--path-to-restore=_ --tempdir=t --rsync-options=_ --ssh-options=_ --log-file=w --num-retries=_ --use-agent --gpg-options=_", Do: doBackup},
	{Names: "rdiff-backup", Opts: "--api-version=_ --force --remove-older-than=_+destroys --older-than=_ -r,--restore-as-of=_ --at=_ --include=_ --exclude=_ --exclude-globbing-filelist=r --include-globbing-filelist=r --remote-schema=c --tempdir=t --print-statistics -v,--verbosity=_ --terminal-verbosity=_ -l,--list-increments --increments -b -s,--remote-cmd=c --no-eas --no-acls --include-filelist,--exclude-filelist,--group-mapping-file,--user-mapping-file=r", Do: doBackup},
	{Names: "bup", Opts: "-d,--bup-dir=D -r,--remote=_ -n,--name=_ -q -v,--verbose --unsafe --outdir,-C=t --exclude=_ --exclude-from=r --exclude-rx=_ -x,--one-file-system -f,--indexfile=o -s -m -u --strip --graft=_ --bwlimit=_", Do: doBackup},
	{Names: "tarsnap", Opts: "-c -d+destroys-data -t -x -r -f=_ --keyfile=r --cachedir=t --fsck --fsck-prune+destroys --nuke+destroys-data --list-archives --print-stats --dry-run+inert -C=D -T=r -X=r --exclude=_ --include=_ -v -q --humanize-numbers --no-print-stats --configfile=r --maxbw=_ --maxbw-rate=_ --maxbw-rate-up=_ --aggressive-networking --recover", Do: doBackup},
	{Names: "duplicacy", Opts: "-r=_ -id=_ -t=_ -a,-all -keep=_ -exclusive -exhaustive -dry-run+inert -d -delete -threads=_ -storage=_ -vss -stats -hash -overwrite -limit-rate=_ -files -chunks -e,-encrypt -from=_ -to=_ -ignore-owner -collect-only -delete-only", Style: LongDash, Do: doBackup},
	{Names: "zbackup", Opts: "--non-encrypted --password-file=r --silent --threads=_ --cache-size=_ --exchange=_ --compression=_ -o=_ -O=_", Do: doBackup},
	{Names: "attic", Opts: "-n,--dry-run+inert -v,--verbose -s,--stats --prefix,-p=_ -e,--exclude=_ --exclude-from=r --keep-daily,-d=_ --keep-weekly,-w=_ --keep-monthly,-m=_ --keep-yearly,-y=_ --keep-hourly,-H=_ --keep-within=_ --encryption=_ --repair --cache-only", Do: doBackup},
	{Names: "pgbackrest", Opts: "--stanza=_ --config=r --config-path=t --delta --force --set=_ --type=_ --target=_ --target-action=_ --repo=_ --repo1-path=_ --pg1-path=D --log-level-console=_ --log-level-file=_ --log-path=t --process-max=_ --output=_ --archive-async --recovery-option=_ --db-include=_ --no-online --buffer-size=_ --compress-type=_ --spool-path=t --lock-path=t", Do: doBackup},
	{Names: "wal-g", Opts: "--config=r --confirm --after=_ --full --detail --json --pretty --permanent --delta-from-user-data=_ --delta-from-name=_ --target-user-data=_ --reverse-unpack --skip-redundant-tars --mask=_ --restore-spec=r --turbo", Do: doBackup},
	{Names: "barman", Opts: "-c,--config=r --color=_ --log-level=_ -q,--quiet -d,--debug -f,--format=_ --target-time=_ --target-name=_ --target-xid=_ --target-tli=_ --remote-ssh-command=c --get-wal --no-get-wal --tablespace=_ --reuse-backup=_ --jobs,-j=_ --keepalive --wait,-w --target=_ --release --status --archive-wal --purge --minimal --nagios --force --immediate-checkpoint --bwlimit=_ --retry-times=_ --standby-mode", Do: doBackup},
	{Names: "xtrabackup", Opts: "--backup --prepare --copy-back --move-back --target-dir=t --datadir,-h=t --user,-u=_ --password,-p=_ --host,-H=_ --port,-P=_ --socket,-S=_ --incremental-basedir=r --incremental-dir=r --apply-log-only --stream=_ --compress --decompress --parallel=_ --defaults-file=r --defaults-extra-file=r --databases=_ --tables=_ --tables-file=r --encrypt=_ --encrypt-key=_ --encrypt-key-file=r --throttle=_ --slave-info --export --extra-lsndir=t --tmpdir=t --remove-original --force-non-empty-directories --use-memory=_ --strict --login-path=_ --no-defaults --print-defaults", Do: doBackup},
	{Names: "tmutil", Opts: "-d=_ -t=_ -p=_ -a -v -m -b,--block -c -s -X -r,--rotation -D=_ -R -S -E -n=_ --auto --destination=_", Style: Strict, Do: doBackup},
	{Names: "timeshift timeshift-cli", Opts: "--list --list-snapshots --list-devices --check --create --comments=_ --tags=_ --restore+destroys --snapshot,--snapshot-name=_ --target,--target-device=_ --grub-device=_ --skip-grub --clone+destroys --delete+destroys --delete-all+destroys-data --yes --rsync --btrfs --backup-device=_ --snapshot-device=_ --verbose --quiet --scripted --debug", Do: doBackup},
	{Names: "snapper", Opts: "-q,--quiet -v,--verbose --debug --utc --iso -t,--table-style=_ --abbreviate --machine-readable=_ --csvout --jsonout --separator=_ --no-headers -c,--config=_ --no-dbus -r,--root=D -a,--ambit=_ --type=_ --pre-number=_ -p,--print-number -d,--description=_ --cleanup-algorithm=_ -u,--userdata=_ --command=c --read-only --from=_ -s,--sync --disable-used-space -o,--output=w -i,--input=r -x,--extensions=_ --diff-cmd=c", Do: doBackup},
	{Names: "btrbk", Opts: "-c,--config=r -n,--dry-run+inert --exclude=_ -p,--preserve --preserve-snapshots --preserve-backups --wipe -v,--verbose -q,--quiet -l,--loglevel=_ -t,--table -L,--long --format=_ -S,--print-schedule --progress --lockfile=w --override=_ -s,--single-column --raw", Do: doBackup},
	{Names: "sanoid", Opts: "--cron+destroys --configdir=r --cache-dir=t --run-dir=t --take-snapshots --prune-snapshots+destroys --force-prune+destroys-data --monitor-health --monitor-snapshots --monitor-capacity --force-update --verbose --quiet --debug --readonly+inert", Do: doBackup},
}

var buildModels = []Model{
	{Names: "make gmake mingw32-make remake", Opts: "-f,--file,--makefile=_ -C,--directory=D -j,--jobs?=_ -n,--just-print,--dry-run,--recon+inert -q,--question+inert -I,--include-dir=r -o,--old-file,--assume-old=_ -W,--what-if,--new-file,--assume-new=_ -l?=_ -s -k -B -e --eval,-E=_ -O?=_ -p,--print-data-base -t,--touch", Do: doMake},
	{Names: "bmake", Opts: "-B -d=_ -D=_ -e -f=_ -i -I=D -j=_ -J=_ -k -m=D -n+inert -N+inert -q -r -s -S -t -T=w -V=_ -v=_ -w -W -X -C=D", Do: doMake},
	{Names: "cmake", Opts: "-S=_ -B=_ -G=_ -D=_ -P=r -E -C=r -A=_ -T=_ -U=_ --build=_ --target,-t=_ -j,--parallel?=_ --install=_ --prefix=_ --component=_ --config=_ --preset=_ --log-level=_ --toolchain=_ --install-prefix=_", Do: doCmake},
	{Names: "ctest", Opts: "-C,--build-config=_ -R,--tests-regex=_ -E,--exclude-regex=_ -L,--label-regex=_ -LE,--label-exclude=_ -I,--tests-information=_ -D,--dashboard=_ -T,--test-action=_ -M,--test-model=_ -S,--script=r -SP,--script-new-process=x -A,--add-notes=r -O,--output-log=w -j,--parallel=_ --timeout=_ --test-dir=_ --preset=_ --output-junit=w --repeat=_ --extra-submit=U --resource-spec-file=r", Style: LongDash, Do: doCmake},
	{Names: "cpack", Opts: "-G=_ -C=_ -D=_ -P=_ -R=_ -B=_ --config=r --vendor=_ --preset=_", Do: doCmake},
	{Names: "ninja meson scons waf bazel bazelisk buck2 pants just task poe devcontainer mage invoke inv nox tox doit jake gulp grunt lerna nx turbo rush pre-commit lefthook husky", Opts: "-f,--file,--justfile,--taskfile,--rakefile=_ -C,-d,--working-directory,--directory=D -j=_ -t=_ -e=_ -s,--session=_ --set=_ -n,--dry-run,--dry+inert", Do: doTask},
	{Names: "code code-insiders codium vscodium code-server", Opts: "--install-extension=_ --uninstall-extension=_ --user-data-dir=_ --extensions-dir=_ --folder-uri=_ --profile=_ -d,--diff -g,--goto -a,--add", Do: doEditorExtension},
	{Names: "coverage memray pyinstrument scalene viztracer", Do: doPythonTool},
	{Names: "pytest py.test jest vitest mocha ava tap playwright cypress karma eslint ruff pylint rubocop golangci-lint clippy-driver phpunit rspec stylelint biome swc esbuild vite webpack rollup parcel next nuxt nodemon concurrently wait-on npm-run-all run-s run-p lint-staged", Do: doTestRunner},
	{Names: "prettier", Opts: "-w,--write -c,--check -l,--list-different --config=r --no-config --config-precedence=_ --ignore-path=r --plugin=P --parser=_ --stdin-filepath=_ --log-level=_ --cache --cache-location=w --find-config-path=r --file-info=r --support-info --tab-width=_ --print-width=_ --single-quote --no-semi --trailing-comma=_ --end-of-line=_ -u,--ignore-unknown --no-error-on-unmatched-pattern --no-color --with-node-modules", Do: doTestRunner},
	{Names: "tsc", Opts: "-p,--project=r -b,--build -w,--watch -t,--target=_ -m,--module=_ --outDir=t --outFile=w --rootDir=D --declarationDir=t --tsBuildInfoFile=w --lib=_ --jsx=_ --moduleResolution=_ --noEmit --strict --init --showConfig --listFiles --generateTrace=t --generateCpuProfile=w -v --skipLibCheck --esModuleInterop --incremental --sourceMap --declaration,-d --allowJs --checkJs --baseUrl=_ --types=_ --typeRoots=_ --pretty --watchFile=_ --force,-f --clean --dry+inert --verbose", Do: doTestRunner},
	{Names: "black", Opts: "-c,--code=_ -l,--line-length=_ -t,--target-version=_ --pyi --ipynb -S,--skip-string-normalization -C,--skip-magic-trailing-comma --preview --unstable --check --diff --color --fast --safe --required-version=_ --include=_ --exclude=_ --extend-exclude=_ --force-exclude=_ --stdin-filename=_ -W,--workers=_ -q,--quiet -v,--verbose --config=r --line-ranges=_ --no-cache", Do: doTestRunner},
	{Names: "mypy", Opts: "-v,--verbose -m,--module=_ -p,--package=_ -c,--command=_ --config-file=r --cache-dir=t --python-version=_ --platform=_ --python-executable=P --strict --exclude=_ --ignore-missing-imports --follow-imports=_ --install-types --non-interactive --junit-xml=w --html-report=t --txt-report=t --xml-report=t --linecount-report=t --any-exprs-report=t --cobertura-xml-report=t --show-error-codes --pretty --no-incremental --explicit-package-bases --namespace-packages --warn-unused-ignores --disable-error-code=_ --enable-error-code=_ --shadow-file=r", Do: doTestRunner},
	{Names: "flake8", Opts: "-v,--verbose --output-file=w --append-config=r --config=r --isolated --enable-extensions=_ -q,--quiet --color=_ --count --exclude=_ --extend-exclude=_ --filename=_ --stdin-display-name=_ --format=_ --hang-closing --ignore=_ --extend-ignore=_ --per-file-ignores=_ --max-line-length=_ --max-doc-length=_ --indent-size=_ --select=_ --extend-select=_ --disable-noqa --show-source --statistics --exit-zero -j,--jobs=_ --tee --benchmark --bug-report --max-complexity=_", Do: doTestRunner},
	{Names: "isort", Opts: "-c,--check-only,--check -d,--diff -q,--quiet -v,--verbose --settings-path,--settings-file,--settings,-sp,--sp=r --profile=_ -l,-w,--line-length=_ -m,--multi-line=_ -s,--skip=_ --extend-skip=_ --sg,--skip-glob=_ --gitignore -f,--float-to-top --af,--force-adds -a,--add-import=_ --rm,--remove-import=_ -p,--project=_ -o,--thirdparty=_ -b,--builtin=_ --src,--src-path=r --stdout --overwrite-in-place --atomic --interactive --filename=_ -j,--jobs=_ --show-settings --show-files --vn -V", Do: doTestRunner},
	{Names: "staticcheck", Opts: "-checks=_ -f=_ -fail=_ -go=_ -tests -tags=_ -explain=_ -list-checks -matrix -merge -show-ignored -version -debug.version -debug.cpuprofile=w -debug.memprofile=w", Style: LongDash, Do: doTestRunner},
	{Names: "gofmt", Opts: "-d -e -l -r=_ -s -w -cpuprofile=w", Do: doTestRunner},
	{Names: "goimports", Opts: "-d -e -l -w -v -local=_ -srcdir=_ -format-only -cpuprofile=w -memprofile=w", Style: LongDash, Do: doTestRunner},
	{Names: "rustfmt", Opts: "--check --emit=_ --backup --config-path=r --config=_ --edition=_ --color=_ --print-config=_ -l,--files-with-diff -v,--verbose -q,--quiet --style-edition=_ --unstable-features -V", Do: doTestRunner},
	{Names: "phpstan", Opts: "-c,--configuration=r -l,--level=_ -a,--autoload-file=x -b,--generate-baseline?=w --memory-limit=_ --error-format=_ --no-progress --no-ansi --debug --xdebug --fix --watch --pro --paths-file=r --tmp-file=r --instead-of=_ --allow-empty-baseline --fail-without-result-cache -v -vv -vvv -q,--quiet -n,--no-interaction -V --ansi", Lang: "php", Do: doTestRunner},
	{Names: "shellcheck", Opts: "-a,--check-sourced -C,--color?=_ -i,--include=_ -e,--exclude=_ --extended-analysis=_ -f,--format=_ --list-optional --norc --rcfile=r -o,--enable=_ -P,--source-path=D -s,--shell=_ -S,--severity=_ -V -W,--wiki-link-count=_ -x,--external-sources", Do: doTestRunner},
	{Names: "shfmt", Opts: "-l,--list -w,--write -d,--diff -s,--simplify -mn,--minify -f,--find -i,--indent=_ -ln,--language-dialect=_ -p,--posix -bn,--binary-next-line -ci,--case-indent -sr,--space-redirects -kp,--keep-padding -fn,--func-next-line --filename=_ --apply-ignore -tojson,--to-json -fromjson,--from-json", Do: doTestRunner},
	{Names: "hadolint", Opts: "-c,--config=r -V,--verbose -f,--format=_ --error=_ --warning=_ --info=_ --style=_ --ignore=_ --trusted-registry=_ --require-label=_ --strict-labels --disable-ignore-pragma --no-fail --no-color --failure-threshold,-t=_ --file-path-in-report=_", Do: doTestRunner},
}

var bytesModels = []Model{
	{Names: "od god", Opts: "-A,--address-radix=_ -N,--read-bytes=_ -j,--skip-bytes=_ -t,--format=_ -S,--strings?=_ -w,--width?=_ --endian=_ -a -b -c -d -f -h -H -i -I -l -L -o -O -s -v,--output-duplicates -x -B -D -e -F -X --traditional", Args: "r*"},
	{Names: "hexdump hd", Opts: "-e,--format=_ -f,--format-file=r -n,--length=_ -s,--skip=_ -L,--color?=_ -b,--one-byte-octal -c,--one-byte-char -C,--canonical -d,--two-bytes-decimal -o,--two-bytes-octal -x,--two-bytes-hex -v,--no-squeezing", Args: "r*"},
	{Names: "xxhash xxhsum xxh32sum xxh64sum xxh128sum", Opts: "-H -b -B=_ -c,--check -i?=_ -q,--quiet --status --strict --tag --little-endian -w,--warn --binary --files-from=r --filelist=r", Args: "i*"},
	{Names: "strings gstrings", Opts: "-n,--bytes=_ -t,--radix=_ -e,--encoding=_ -T,--target=_ -s,--output-separator=_ -U,--unicode=_ -a,--all -d,--data -f,--print-file-name -o -w,--include-all-whitespace", Args: "r*"},
	{Names: "cmp gcmp", Opts: "-i,--ignore-initial=_ -n,--bytes=_ -b,--print-bytes -l,--verbose -s,--quiet,--silent", Do: doDiff},
	{Names: "base64 gbase64", Opts: "-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage,--input=r -o,--output=w -b,--break=_", Args: "r", Do: doBase64},
	{Names: "base32 gbase32", Opts: "-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage", Args: "r", Do: doBase64},
	{Names: "basenc gbasenc", Opts: "-d,-D,--decode -w,--wrap=_ -i,--ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --base58 --z85", Args: "r", Do: doBase64},
	{Names: "xxd", Opts: "-r,-revert -p,-ps,-plain,-postscript -c,-cols=_ -g,-groupsize=_ -l,-len=_ -n,-name=_ -s,-seek=_ -o=_ -R=_ -a,-autoskip -b,-bits -C,-capitalize -d -e -E,-EBCDIC -i,-include -u -v+inert -h+inert", Args: "r w", Style: LongDash, Do: doXxd},
	{Names: "uudecode", Opts: "-o=w -c -i -m -p -r -s", Args: "r", Do: doDecoder},
	{Names: "uuencode", Opts: "-m,--base64 -r -e,--encode-file-name -o=w", Args: "r _"},
	{Names: "gunzip", Opts: "-S,--suffix=_ -c,--stdout,--to-stdout -a,--ascii -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep --synchronous", Args: "r*", Do: doDecoder},
	{Names: "uncompress", Opts: "-S=_ -b=_ -c -f -k -r -v", Args: "r*", Do: doDecoder},
	{Names: "bunzip2", Opts: "-c,--stdout -f,--force -k,--keep -q,--quiet -s,--small -t,--test -v,--verbose", Args: "r*", Do: doDecoder},
	{Names: "funzip", Opts: "-password=_ -P=_", Args: "r*", Do: doDecoder},
	{Names: "lz4cat", Opts: "-B=_ -D=r -f -k -m -q -v --no-crc --no-sparse", Args: "r*", Do: doDecoder},
	{Names: "unlz4", Opts: "-c,--stdout -D=r -f,--force -k,--keep -m,--multiple -q,--quiet -r -t,--test -v,--verbose --rm --list", Args: "r w*", Do: doDecoder},
	{Names: "unxz unlzma", Opts: "-F,--format=_ -M,--memlimit,--memory=_ -S,--suffix=_ -T,--threads=_ -c,--stdout,--to-stdout -f,--force -k,--keep -l,--list -q,--quiet -Q,--no-warn -t,--test -v,--verbose --robot --single-stream --no-sparse --ignore-check --files?=r --files0?=r", Args: "r*", Do: doDecoder},
	{Names: "unzstd", Opts: "-D=r -o=w -M,--memory=_ --output-dir-flat=t --output-dir-mirror=t --filelist=r -c,--stdout -f,--force -k,--keep -l,--list -q,--quiet -r -t,--test -v,--verbose --rm --no-check --sparse --no-sparse", Args: "r*", Do: doDecoder},
	{Names: "unpigz", Opts: "-S,--suffix=_ -p,--processes=_ -b,--blocksize=_ -c,--stdout,--to-stdout -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep -H,--huffman -i,--independent -R,--rsyncable -z,--zlib", Args: "r*", Do: doDecoder},
	{Names: "unbrotli", Opts: "-o,--output=w -D,--dictionary=r -S,--suffix=_ -c,--stdout -f,--force -j,--rm -k,--keep -n,--no-copy-stat -t,--test -v,--verbose", Args: "r*", Do: doDecoder},
	{Names: "gzip ggzip", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b=_ -c,--stdout,--to-stdout -a,--ascii -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep --synchronous --rsyncable -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best", Do: doCompress},
	{Names: "compress", Opts: "-d -S=_ -b=_ -c -f -k -r -v", Do: doCompress},
	{Names: "bzip2", Opts: "-d,--decompress -c,--stdout -z,--compress -f,--force -k,--keep -q,--quiet -s,--small -t,--test -v,--verbose -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -l,--list", Do: doCompress},
	{Names: "lz4", Opts: "-d,--decompress -c,--stdout,--to-stdout -z,--compress -D=r -f,--force -k,--keep -q,--quiet -r -t,--test -v,--verbose -m,--multiple -l --list --rm --best --content-size --no-frame-crc -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best", Do: doCompress},
	{Names: "xz lzma", Opts: "-d,--decompress,--uncompress -F,--format=_ -C,--check=_ -M,--memlimit,--memory=_ --memlimit-compress=_ --memlimit-decompress=_ -S,--suffix=_ -T,--threads=_ --block-size=_ --block-list=_ --flush-timeout=_ --filters=_ --files?=r --files0?=r -c,--stdout,--to-stdout -k,--keep -t,--test -l,--list -z,--compress -f,--force -e,--extreme -q,--quiet -Q,--no-warn -v,--verbose --no-sparse --ignore-check --single-stream --robot -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best", Do: doCompress},
	{Names: "zstd", Opts: "-d,--decompress,--uncompress -D=r -o=w -T,--threads?=_ -M,--memory?=_ -B?=_ --output-dir-flat=t --output-dir-mirror=t --filelist=r --patch-from=r --train --maxdict=_ --format=_ --size-hint=_ --target-compressed-block-size=_ --long?=_ --fast?=_ --adapt?=_ --trace=w -c,--stdout -k,--keep -t,--test -l,--list -z,--compress -f,--force -r -q,--quiet -v,--verbose --rm --ultra --rsyncable --check --no-check --exclude-compressed --no-progress --sparse --no-sparse -1 -2 -3 -4 -5 -6 -7 -8 -9", Do: doCompress},
	{Names: "pigz", Opts: "-d,--decompress,--uncompress -S,--suffix=_ -b,--blocksize=_ -p,--processes=_ -A,--alias=_ -C,--comment=_ -I,--iterations=_ -J,--maxsplits=_ -c,--stdout,--to-stdout -f,--force -n,--no-name -N,--name -q,--quiet -r,--recursive -v,--verbose -t,--test -l,--list -k,--keep -F,--first -H,--huffman -i,--independent -K,--zip -m,--no-time -M,--time -O,--oneblock -R,--rsyncable -U,--rle -Y,--synchronous -z,--zlib -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best -11", Do: doCompress},
	{Names: "brotli", Opts: "-d,--decompress -o,--output=w -q,--quality=_ -w,--lgwin=_ --large_window=_ -S,--suffix=_ -D,--dictionary=r -c,--stdout -f,--force -j,--rm -k,--keep -n,--no-copy-stat -s,--squash -t,--test -v,--verbose -l,--list -Z,--best -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --fast --best", Do: doCompress},
}

var cloudModels = []Model{
	{Names: "aws awslocal", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --acl=_ --exclude=_ --include=_ --ca-bundle=_ --cli-binary-format=_ --color=_ --recursive --delete --no-dry-run", Do: doAWS},
	{Names: "gcloud", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --quiet --verbosity=_ --flags-file=r --recursive,-r,-R --member=_ --role=_", Do: doGcloud},
	{Names: "gsutil", Opts: "-h=_ -i=_ -u=_ -o=_ -m -q -D -n+inert", Do: doGsutil},
	{Names: "bq", Opts: "--dry_run+inert --project_id=_ --dataset_id=_ --location=_ --format=_ -r,-R,--recursive -f,--force -t,--table -d,--dataset -m,--model -n=_ --destination_table=_ --replace", Do: doBq},
	{Names: "az", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --ids=_ --vault-name=_ --source,--pattern=_ --set=_", Do: doCloud},
	{Names: "azcopy", Opts: "--dry-run+inert --recursive?=_ --delete-destination?=_ --log-level=_ --from-to=_ --include-pattern=_ --exclude-pattern=_", Do: doTransfer},
	{Names: "rclone", Opts: "-n,--dry-run+inert -i,--interactive --config=_ --include=_ --exclude=_ --filter=_ --filter-from=_ --files-from=_ --transfers=_ --checkers=_ --bwlimit=_ --min-age=_ --max-age=_ --max-size=_ --min-size=_ --log-file=w --log-level=_ --backup-dir=_ --password-command=c", Do: doTransfer},
	{Names: "mc mcli minio-client", Opts: "--dry-run,--fake+inert -C,--config-dir=_ --older-than=_ --newer-than=_ --attr=_ --limit-upload=_ -r,--recursive --force --remove --dangerous", Do: doTransfer},
	{Names: "s3cmd s4cmd s5cmd", Opts: "-n,--dry-run+inert -c,--config=_ --access_key=_ --secret_key=_ --exclude=_ --include=_ --host=_ --region=_ -m=_ --endpoint-url=_ --profile=_ -r,--recursive -f,--force --delete-removed --acl-public,-P --ca-certs,--ssl-cert,--ssl-key=r --cache-file=w --exclude-from,--include-from,--rexclude-from,--rinclude-from,--files-from=r --ssl", Do: doTransfer},
	{Names: "ossutil ossutil64 obsutil coscmd coscli b2 qshell upcli gof3r s3fs-cli", Opts: "--dryRun,--dry-run+inert -c,--config-file=_ -e,--endpoint=_ -r,--recursive -f,--force", Do: doTransfer},
	{Names: "swift", Opts: "-e=e --dry-run+inert -c,--config-file=_ -r,--recursive -f,--force", Lang: "swift", Do: doSwift},
}

var clusterModels = []Model{
	{Names: "kubectl k kctl kc oc kubecolor", Opts: "-n,--namespace=_ --context=_ --cluster=_ --kubeconfig=_ --user=_ --token=_ -s,--server=_ --as=_ --as-group=_ --as-uid=_ --cache-dir=_ --log-flush-frequency=_ --password=_ --username=_ --profile=_ --profile-output=w --tls-server-name=_ --vmodule=_ --kuberc=_ --request-timeout=_ -v=_ --certificate-authority=_ --client-key=_ --client-certificate=_ -f,--filename=_ -k,--kustomize=_ -l,--selector=_ -o,--output=_ --dry-run?=_ -c,--container=_ --replicas=_ --image=_ --overrides=_ -p,--patch=_ --type=_ --field-selector=_ --grace-period=_ --timeout=_ --clusterrole=_ --serviceaccount=_ --group=_ --from-literal=_ --from-file=_ --from-env-file=r --port=_ --address=_ --cascade=_ --to-revision=_ --raw=_ --field-manager=_ --sort-by=_ --template=_ --tail=_ --since=_ -A,--all-namespaces --all --force --now", Style: Verb, Do: doKubectl},
	{Names: "helm helm3 helmfile", Opts: "-n,--namespace=_ --kube-context=_ --kubeconfig=_ -f,--values,--file=_ --set=_ --set-string=_ --version=_ --repo=_ --timeout=_ --dry-run?=_ -e,--environment=_ -l,--selector=_ -o,--output=_ --username=_ --password=_ --post-renderer=P --kube-apiserver=_ --kube-as-group=_ --kube-as-user=_ --kube-ca-file=_ --kube-tls-server-name=_ --kube-token=_ --registry-config=_ --repository-cache=_ --repository-config=_ --burst-limit=_ --qps=_ --state-values-file=_ --state-values-set=_", Style: Verb, Do: doHelm},
	{Names: "kustomize kubeconform kubeval kubescape stern k9s kubectx kubens popeye kube-score", Do: doNothing},
	{Names: "argocd flux fleet", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --path=_ --repo=_ --revision=_", Do: doCloud},
}

var computeModels = []Model{
	{Names: "scancel", Opts: "-u,--user,-A,--account,-p,--partition,-n,--name,--jobname,-q,--qos,-s,--signal,-t,--state,-w,--nodelist,--reservation,-M,--clusters=_ -b,--batch,-f,--full,-H,--hurry,-i,--interactive,-Q,--quiet,-v,--verbose,--me,--ctld", Do: doScancel},
	{Names: "scontrol", Sub: []Model{
		{Names: "update reconfigure shutdown takeover cancel_reboot power delete create", Effects: 1},
		{Names: "show ping hold release requeue suspend resume wait_job listpids write"},
	}},
	{Names: "dvc", Opts: "-r,--remote,-j,--jobs,-o,--out,--rev,--num=_ -q,--quiet,-v,--verbose,--dry", Do: doDvc},
	{Names: "huggingface-cli hf", Sub: []Model{
		{Names: "upload upload-large-folder", Effects: 8},
		{Names: "repo repos", Sub: []Model{
			{Names: "delete", Effects: 4},
			{Names: "create settings move", Effects: 1},
			{Names: "branch", Sub: []Model{
				{Names: "delete", Effects: 4},
				{Names: "create"},
			}},
			{Names: "tag", Sub: []Model{
				{Names: "delete", Effects: 4},
				{Names: "create list"},
			}},
		}},
		{Names: "repo-files", Sub: []Model{
			{Names: "delete", Effects: 4},
		}},
		{Names: "endpoints", Sub: []Model{
			{Names: "delete", Effects: 2},
			{Names: "deploy update resume", Effects: 1},
			{Names: "ls list describe"},
		}},
		{Names: "auth", Sub: []Model{
			{Names: "token", Effects: 64},
			{Names: "login list whoami switch logout"},
		}},
		{Names: "jobs", Sub: []Model{
			{Names: "run uv", Effects: 1},
			{Names: "ps logs inspect"},
		}},
		{Names: "download login logout whoami env scan-cache version cache delete-cache tag"},
	}},
	{Names: "mlflow", Sub: []Model{
		{Names: "gc", Effects: 4},
		{Names: "experiments", Sub: []Model{
			{Names: "delete", Effects: 2},
			{Names: "search create csv restore rename"},
		}},
		{Names: "runs", Sub: []Model{
			{Names: "delete", Effects: 2},
			{Names: "list describe restore"},
		}},
		{Names: "deployments sagemaker", Sub: []Model{
			{Names: "create update deploy delete update-endpoint create-endpoint delete-endpoint", Effects: 1},
			{Names: "get list help predict"},
		}},
		{Names: "ui server run doctor artifacts"},
	}},
	{Names: "dbt", Opts: "--profiles-dir,--project-dir,--profile,-t,--target,-s,--select,-m,--models,--exclude,--selector,--vars,--args,--state,--threads,--log-path,--target-path=_", Do: doDbt},
	{Names: "jupyter jupyter-lab jupyter-notebook jupyter-server", Style: Strict, Do: doJupyter},
	{Names: "elasticdump", Opts: "--input=_ --output=U --type,--limit,--headers,--searchBody,--transform=_"},
	{Names: "hdfs hadoop", Style: Strict, Do: doHdfs},
}

var containerModels = []Model{
	{Names: "docker docker.io podman nerdctl finch lima-nerdctl podman-remote", Opts: "-H,--host=_ -c,--context=_ --config=_ -l,--log-level=_ --tlscacert=_ --tlscert=_ --tlskey=_ --namespace,-n=_ --connection=_ --url=_ --root=_ --storage-driver=_ --storage-opt=_ --runroot=_ --tmpdir=_ --cgroup-manager=_ --events-backend=_ --identity=_ --module=_ --address,-a=_ --snapshotter=_ --data-root=_ --hosts-dir=_ -D,--debug --tls --tlsverify -r,--remote -v+inert", Sub: []Model{
		{Names: "run create", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_", Style: Strict, Do: doContainerRun},
		{Names: "exec", Opts: "-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged", Style: Strict, Do: doContainerExec},
		{Names: "rm remove", Opts: "-f,--force -v,--volumes -l,--link -a,--all", Do: doContainerRemove},
		{Names: "kill stop restart pause", Opts: "-s,--signal=_ -t,--time=_ -a,--all", Do: doContainerStop},
		{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
		{Names: "cp", Do: doContainerCopy},
		{Names: "push", Do: doImagePush},
		{Names: "container", Sub: []Model{
			{Names: "run create", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_", Style: Strict, Do: doContainerRun},
			{Names: "exec", Opts: "-i,--interactive -t,--tty -d,--detach -l,--latest -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ --detach-keys=_ --privileged", Style: Strict, Do: doContainerExec},
			{Names: "rm remove", Opts: "-f,--force -v,--volumes -l,--link -a,--all", Do: doContainerRemove},
			{Names: "kill stop restart pause", Opts: "-s,--signal=_ -t,--time=_ -a,--all", Do: doContainerStop},
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "cp", Do: doContainerCopy},
			{Names: "inspect", Opts: "-f,--format=_ --type=_ -s,--size", Do: doInspect},
		}, Do: doNothing},
		{Names: "inspect", Opts: "-f,--format=_ --type=_ -s,--size", Do: doInspect},
		{Names: "image", Sub: []Model{
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "rm remove delete", Opts: "-f,--force -a,--all", Do: doEngineRemove},
			{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
			{Names: "push", Do: doImagePush},
		}, Do: doNothing},
		{Names: "volume", Sub: []Model{
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "rm remove delete", Opts: "-f,--force -a,--all", Do: doEngineRemove},
		}, Do: doNothing},
		{Names: "network", Sub: []Model{
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "rm remove delete", Opts: "-f,--force -a,--all", Do: doEngineRemove},
		}, Do: doNothing},
		{Names: "system", Sub: []Model{
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "reset", Do: doEngineReset},
		}, Do: doNothing},
		{Names: "builder buildx", Sub: []Model{
			{Names: "prune", Opts: "-f,--force -a,--all --filter=_ --volumes", Do: doPrune},
			{Names: "build b", Opts: "-f,--file=_ -t,--tag=_ --build-arg=_ --target=_ --platform=_ --secret=_ --ssh=_ --cache-from=_ --cache-to=_ -o,--output=_ --label=_ --network=_ --progress=_ --builder=_ --build-context=_ --iidfile=w --allow=_ --metadata-file=w --add-host=_ --push", Do: doImageBuild},
			{Names: "rm", Do: doNothing},
		}, Do: doNothing},
		{Names: "compose", Opts: "-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_", Sub: []Model{
			{Names: "down", Opts: "-v,--volumes --rmi=_ -t,--timeout=_ --dry-run+inert", Do: doComposeDown},
			{Names: "rm", Opts: "-f,--force -s,--stop -v,--volumes", Do: doComposeDown},
			{Names: "exec", Opts: "-e,--env=_ -w,--workdir=_ -u,--user=_ --index=_ -T,--no-TTY,--no-tty -i,--interactive -t,--tty -d,--detach --privileged", Style: Strict, Do: doContainerExec},
			{Names: "run", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_ -T,--no-TTY,--no-tty --no-deps --build --use-aliases --service-ports --remove-orphans --quiet-pull --quiet-build", Style: Strict, Do: doComposeRun},
			{Names: "kill", Do: doComposeFar},
			{Names: "up start create restart watch", Opts: "-d,--detach --build --wait -V,--renew-anon-volumes --force-recreate --no-deps --remove-orphans --scale=_ --exit-code-from=_ --attach=_ --no-attach=_ -t,--timeout=_ --pull=_ --abort-on-container-exit --quiet-pull --no-build --no-start --no-recreate --menu -w,--watch --wait-timeout=_ -y,--yes", Do: doComposeUp},
		}, Do: doComposeNone},
		{Names: "stack service node swarm secret config plugin pod machine context manifest", Do: doEngine},
		{Names: "rmi", Do: doEngineRemove},
		{Names: "unshare", Args: "C", Style: Strict},
	}, Do: doEngine},
	{Names: "docker-compose podman-compose nerdctl-compose", Opts: "-f,--file=_ -p,--project-name=_ --profile=_ --env-file=_ --project-directory=_ --ansi=_ --progress=_ --parallel=_ --dry-run+inert -c,--context=_", Sub: []Model{
		{Names: "down", Opts: "-v,--volumes --rmi=_ -t,--timeout=_ --dry-run+inert", Do: doComposeDown},
		{Names: "rm", Opts: "-f,--force -s,--stop -v,--volumes", Do: doComposeDown},
		{Names: "exec", Opts: "-e,--env=_ -w,--workdir=_ -u,--user=_ --index=_ -T,--no-TTY,--no-tty -i,--interactive -t,--tty -d,--detach --privileged", Style: Strict, Do: doContainerExec},
		{Names: "run", Opts: "-v,--volume=_ --mount=_ -e,--env=_ --env-file=_ -w,--workdir=_ -u,--user=_ -p,--publish=_ --name=_ --network,--net=_ --pid=_ --ipc=_ --uts=_ --userns=_ --cgroupns=_ --cap-add=_ --cap-drop=_ --security-opt=_ --device=_ --entrypoint=_ -h,--hostname=_ -l,--label=_ --label-file=_ -m,--memory=_ --cpus=_ --platform=_ --restart=_ --add-host=_ --dns=_ --gpus=_ --ulimit=_ --tmpfs=_ --volumes-from=_ --log-driver=_ --log-opt=_ --shm-size=_ --cidfile=w --pull=_ --runtime=_ --expose=_ --ip=_ --link=_ --group-add=_ --stop-signal=_ --stop-timeout=_ --health-cmd=_ -i,--interactive -t,--tty -d,--detach --rm --init -P,--publish-all -q,--quiet --read-only --no-healthcheck --oom-kill-disable --sig-proxy --disable-content-trust --replace --no-hosts --tls-verify --annotation=_ --memory-swap=_ --cpuset-cpus=_ -c,--cpu-shares=_ --sysctl=_ --isolation=_ --network-alias=_ --mac-address=_ --oom-score-adj=_ --pids-limit=_ --privileged -a,--attach=_ --detach-keys=_ --pod=_ --secret=_ -T,--no-TTY,--no-tty --no-deps --build --use-aliases --service-ports --remove-orphans --quiet-pull --quiet-build", Style: Strict, Do: doComposeRun},
		{Names: "kill", Do: doComposeFar},
		{Names: "up start create restart watch", Opts: "-d,--detach --build --wait -V,--renew-anon-volumes --force-recreate --no-deps --remove-orphans --scale=_ --exit-code-from=_ --attach=_ --no-attach=_ -t,--timeout=_ --pull=_ --abort-on-container-exit --quiet-pull --no-build --no-start --no-recreate --menu -w,--watch --wait-timeout=_ -y,--yes", Do: doComposeUp},
	}, Do: doComposeNone},
	{Names: "crictl", Opts: "-r,--runtime-endpoint=_ -i,--image-endpoint=_ -t,--timeout=_ -c,--config=_", Sub: []Model{
		{Names: "exec", Opts: "-t,--tty -i,--interactive -s,--sync --timeout=_", Style: Strict, Do: doContainerExec},
	}, Do: doEngine},
	{Names: "ctr", Opts: "-n,--namespace=_ -a,--address=_ --debug --connect-timeout=_ --timeout=_", Do: doEngine},
	{Names: "buildah", Opts: "-f,--file=r -t,--tag=_ --build-arg=_ -a,--all --storage-driver=_ --root=_ --log-level=_ --tls-verify?=_", Do: doImageTool},
	{Names: "skopeo", Opts: "-s,--src=_ -d,--dest=_ --src-creds=_ --dest-creds=_ --creds=_ --authfile=r --src-authfile=r --dest-authfile=r -f,--format=_ --policy=r --override-os=_ --override-arch=_ --command-timeout=_ --src-cert-dir=_ --dest-cert-dir=_ --sign-by=_ --digestfile=w -a,--all --insecure-policy --raw --config --debug -q,--quiet", Do: doImageTool},
	{Names: "kaniko executor", Opts: "-f,--dockerfile=r -c,--context=_ -d,--destination=_ --build-arg=_ --digest-file=w --tar-path=w --registry-mirror=_ --cache-repo=_ --target=_ --snapshot-mode=_ --verbosity,-v=_ --no-push --cache --cleanup --insecure --skip-tls-verify", Style: Strict, Do: doImageTool},
	{Names: "img", Opts: "-f,--file=r -t,--tag=_ --build-arg=_ --target=_ --platform=_ -o,--output=_ --no-cache -d,--debug -s,--state=_ -b,--backend=_", Do: doImageTool},
	{Names: "crane", Opts: "--platform=_ -v,--verbose --insecure --allow-nondistributable-artifacts -t,--tag=_ -u,--username=_ -p,--password=_ --format=_ -n,--new_tag=_ -o,--output=_", Do: doImageTool},
	{Names: "regctl", Opts: "--host=_ --logopt=_ -v,--verbosity=_ --user-agent=_ -p,--platform=_ --format=_", Do: doImageTool},
	{Names: "oras", Opts: "-u,--username=_ -p,--password=_ --registry-config=r --ca-file=r --config=r -a,--annotation=_ --annotation-file=r --artifact-type=_ --export-manifest=w --platform=_ -o,--output=t -d,--debug -v,--verbose --insecure --plain-http -r,--recursive", Do: doImageTool},
}

var coreutilsModels = []Model{
	{Names: "rm grm", Opts: "-r,-R,--recursive+recursive -f,--force+force -i --interactive?=_ -d,--dir -I -v,--verbose -x,--one-file-system --preserve-root?=_ --no-preserve-root", Do: doRemove},
	{Names: "rimraf", Opts: "-g,--glob -v -i,--interactive --impl=_ --tmp=_ --max-retries=_ --preserve-root --no-preserve-root --backoff=_ --retry-delay=_", Do: doRimraf},
	{Names: "del-cli", Opts: "-f,--force -d,--dry-run+inert", Do: doRimraf},
	{Names: "shx", Args: "C", Style: Strict},
	{Names: "rmdir grmdir", Opts: "-p,--parents -v,--verbose --ignore-fail-on-non-empty", Do: doRmdir},
	{Names: "unlink gunlink", Args: "d*"},
	{Names: "srm", Opts: "-r,-R,--recursive+recursive -f,--force+force -i,--interactive -s,--simple -m,--medium -z,--zero -n,--nounlink -v,--verbose -l -d,--directory", Do: doShred},
	{Names: "wipe", Opts: "-r+recursive -f+force -c -i -s -e -k -F -Z -z -q -Q=_ -S=_ -C=_ -R=_ -M=_ -o=_ -l=_ -x?=_ -b=_ -p=_ -T=_", Do: doShred},
	{Names: "shred gshred", Opts: "-n,--iterations=_ -s,--size=_ --random-source=_ -u,--remove?=_ -f,--force+force -z,--zero -v,--verbose -x,--exact", Do: doShred},
	{Names: "trash trash-put gtrash", Opts: "-v,--verbose -f,--force -r,-R,--recursive -i,--interactive -d --trash-dir=_", Args: "m*"},
	{Names: "gio-trash", Args: "m*"},
	{Names: "rmtrash", Opts: "-f,--force -r,-R,--recursive -i -I -v,--verbose --forbid-root?=_", Args: "m*"},
	{Names: "trash-empty", Opts: "-f -i -v,--verbose --all-users --trash-dir=_ --print-time --dry-run+inert", Do: doTrash},
	{Names: "trash-rm", Opts: "--trash-dir=_ -v,--verbose", Do: doTrash},
	{Names: "gio", Sub: []Model{
		{Names: "trash", Opts: "--empty --list --restore -f,--force", Args: "m*", Do: doTrash},
		{Names: "remove rm", Opts: "-f,--force", Args: "d*"},
		{Names: "copy cp", Opts: "-T,--no-target-directory -p,--progress -i,--interactive --preserve -b,--backup -P,--no-dereference --default-permissions", Args: "r* w"},
		{Names: "move mv", Opts: "-T,--no-target-directory -p,--progress -i,--interactive -b,--backup -C,--no-copy-fallback", Do: doMove},
		{Names: "rename", Args: "m _*"},
		{Names: "save", Opts: "-b,--backup -c,--create -a,--append -p,--print-etag -e,--etag=_", Args: "w*"},
		{Names: "cat", Args: "r*"},
		{Names: "info list tree monitor", Opts: "-a,--attributes=_ -h,--hidden -l,--long -w,--query-writable -f -f,--filesystem -n,--nofollow-symlinks -u,--print-uris -d,--print-display-names -D,--dir=_", Args: "i*"},
		{Names: "mkdir", Opts: "-p,--parent", Args: "_*"},
		{Names: "set", Opts: "-t,--type=_ -d,--delete -n,--nofollow-symlinks", Args: "o _*"},
	}},
	{Names: "mv gmv", Opts: "-t,--target-directory=_ -S,--suffix=_ -f,--force+force -T,--no-target-directory -n,--no-clobber --backup?=_ -i,--interactive -u -u,--update?=_ -v,--verbose -b --strip-trailing-slashes -Z --exchange --no-copy", Do: doMove},
	{Names: "cp gcp", Opts: "-t,--target-directory=_ -S,--suffix=_ -r,-R,-a,--recursive,--archive+recursive -f,--force -T -n,--no-clobber --backup?=_ --preserve?=_ --no-preserve=_ --reflink?=_ --sparse=_ -T,--no-target-directory -i,--interactive -u -u,--update?=_ -v,--verbose -b -d -H -l,--link -L,--dereference -p -P,--no-dereference -s,--symbolic-link -x,--one-file-system -Z --parents --remove-destination --strip-trailing-slashes --attributes-only -c -X --debug --keep-directory-symlink", Do: doCopy},
	{Names: "install ginstall", Opts: "-t,--target-directory=_ -m,--mode=_ -o,--owner=_ -g,--group=_ -S,--suffix=_ -d,--directory -D -b -c -C,--compare -p,--preserve-timestamps -s,--strip --strip-program=P -T,--no-target-directory -v,--verbose -Z --backup?=_", Do: doInstall},
	{Names: "ln gln", Opts: "-t,--target-directory=_ -S,--suffix=_ -s,--symbolic -f,--force -n,--no-dereference -r,--relative -b -i,--interactive -L,--logical -P,--physical -T,--no-target-directory -v,--verbose --backup?=_ -F -d -h", Do: doLink},
	{Names: "mkdir gmkdir", Opts: "-m,--mode=_ -Z,--context?=_ -p,--parents -v,--verbose", Do: doMkdir},
	{Names: "fallocate", Opts: "-l,--length=_ -o,--offset=_ -p,--posix -d,--dig-holes -c,--collapse-range -z,--zero-range -n,--keep-size -x -i,--insert-range -v,--verbose", Do: doFallocate},
	{Names: "mkfifo", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o*"},
	{Names: "mknod", Opts: "-m,--mode=_ -Z,--context?=_", Args: "o"},
	{Names: "touch gtouch", Opts: "-d,--date=_ -r,--reference=_ -t=_ --time=_ -a -m -c,--no-create -f -h,--no-dereference -A=_", Args: "o*"},
	{Names: "truncate gtruncate", Opts: "-s,--size=_ -r,--reference=_ -c,--no-create -o,--io-blocks", Do: doTruncate},
	{Names: "tee gtee", Opts: "-a,--append --output-error?=_ -i,--ignore-interrupts -p", Do: doTee},
	{Names: "sponge", Opts: "-a", Do: doTee},
	{Names: "dd gdd dcfldd dc3dd", Style: KeyVal, Do: doDD},
	{Names: "chmod gchmod", Opts: "-R,--recursive+recursive --reference=_ -c,--changes -f,--silent,--quiet -v,--verbose --preserve-root --no-preserve-root -H -L -P -h,--no-dereference", Style: AnyOption, Do: doChmod},
	{Names: "chown gchown chgrp gchgrp", Opts: "-R,--recursive+recursive --reference=_ --from=_ -c,--changes -f,--silent,--quiet -v,--verbose -h,--no-dereference --dereference -H -L -P --preserve-root --no-preserve-root", Do: doChown},
	{Names: "chattr", Opts: "-R+recursive -v=_ -p=_ -V -f", Do: doChattr},
	{Names: "setfacl", Opts: "-R,--recursive+recursive -m,--modify=_ -x,--remove=_ -M,--modify-file=r -X,--remove-file=r --set=_ --restore=_ -b,--remove-all -k,--remove-default -d,--default --test+inert -n,--no-mask --mask -P,--physical -L,--logical -v,--version+inert -h,--help+inert --set-file=r", Do: doSetfacl},
	{Names: "setcap", Opts: "-q -v+inert -n=_ -f -r", Args: "_ o*", Do: doSetcap},
	{Names: "split gsplit", Opts: "-b,--bytes=_ -l,--lines=_ -n,--number=_ -a,--suffix-length=_ -C,--line-bytes=_ -t,--separator=_ --filter=c --additional-suffix=_ -d -x --numeric-suffixes?=_ --hex-suffixes?=_ -e,--elide-empty-files -u,--unbuffered --verbose", Args: "r t", Do: doSplitService},
	{Names: "csplit gcsplit", Opts: "-f,--prefix=w -b,--suffix-format=_ -n,--digits=_ -k,--keep-files -q,-s,--quiet,--silent -z,--elide-empty-files --suppress-matched", Args: "r _*"},
	{Names: "mktemp gmktemp", Opts: "-p,--tmpdir?=_ -t --suffix=_ -d,--directory -q,--quiet -u,--dry-run", Do: doMktemp},
	{Names: "tempfile", Opts: "-d,--directory=_ -p,--prefix=_ -s,--suffix=_ -m,--mode=_ -n,--name=w", Do: doMktemp},
	{Names: "file", Opts: "-f,--files-from=r -m,--magic-file=r -F,--separator=_ -P,--parameter=_ -e,--exclude=_ --exclude-quiet=_ -b,--brief -c,--checking-printout -d -E -h,--no-dereference -i,--mime --mime-type --mime-encoding --extension --apple -k,--keep-going -l,--list -L,--dereference -N,--no-pad -n,--no-buffer -p,--preserve-date -r,--raw -s,--special-files -S,--no-sandbox -z,--uncompress -Z,--uncompress-noreport -0,--print0", Args: "i*"},
	{Names: "stat", Opts: "-c,--format=_ --printf=_ -f -L -t -r -x -f,--file-system -L,--dereference -t,--terse --cached=_ -l -n -q -s", Args: "i*"},
	{Names: "tree", Opts: "-L=_ -P=_ -I=_ -H=_ -T=_ -o=w --charset=_ --filelimit=_ --timefmt=_ --gitfile=r --infofile=r --sort=_ --fromtabfile --hintro=r --houtro=r -a -d -l -f -x -p -s -h -u -g -D -F -q -N -Q -i -A -S -n -C -X -J -R -v -t -c -U -r --si --du --prune --dirsfirst --filesfirst --noreport --matchdirs --ignore-case --gitignore --fromfile --inodes --device --metafirst --info", Args: "i*"},
	{Names: "du gdu", Opts: "-d,--max-depth=_ -t,--threshold=_ -B,--block-size=_ -I=_ --exclude=_ -X,--exclude-from=r --files0-from=r --time?=_ --time-style=_ -a,--all --apparent-size -b,--bytes -c,--total -D,--dereference-args -h,--human-readable --inodes -k -l,--count-links -L,--dereference -m -P,--no-dereference -S,--separate-dirs --si -s,--summarize -x,--one-file-system -0,--null -H -g -A -n -r", Args: "i*"},
	{Names: "locate", Opts: "-d,--database=_ -l,-n,--limit=_ -A,--all -b,--basename -c,--count -e,--existing -i,--ignore-case -L,--follow -0,--null -S,--statistics -q,--quiet -r,--regexp=_ --regex -w,--wholename -P,-H,--nofollow", Args: "_*"},
	{Names: "mlocate plocate", Opts: "-d,--database=_ -l,-n,--limit=_ -A,--all -b,--basename -c,--count -i,--ignore-case -N,--literal -0,--null -r,--regexp=_ --regex -w,--wholename -e,--existing -L,--follow -P,-H,--nofollow -S,--statistics -q,--quiet", Args: "_*"},
	{Names: "namei", Opts: "-x,--mountpoints -m,--modes -o,--owners -l,--long -n,--nosymlinks -v,--vertical -Z,--context", Args: "i*"},
	{Names: "getfacl", Opts: "-a,--access -d,--default -c,--omit-header -e,--all-effective -E,--no-effective -s,--skip-base -R,--recursive -L,--logical -P,--physical -t,--tabular -p,--absolute-names -n,--numeric", Args: "i*"},
	{Names: "lsattr", Opts: "-R -a -d -l -p -v -V", Args: "i*"},
	{Names: "wc gwc", Opts: "-c,--bytes -m,--chars -l,--lines -w,--words -L,--max-line-length --files0-from=r --total=_", Args: "i*"},
	{Names: "cksum gcksum", Opts: "-a,--algorithm=_ -l,--length=_ -o=_ -c,--check -b,--base64 --raw --tag --untagged -z,--zero --strict --status --quiet -w,--warn --ignore-missing --debug", Args: "i*"},
	{Names: "sum gsum", Opts: "-r -s,--sysv", Args: "i*"},
	{Names: "md5sum gmd5sum sha1sum gsha1sum sha224sum gsha224sum sha256sum gsha256sum sha384sum gsha384sum sha512sum gsha512sum", Opts: "-b,--binary -c,--check -t,--text -z,--zero --tag --ignore-missing --quiet --status --strict -w,--warn", Args: "i*"},
	{Names: "shasum", Opts: "-a,--algorithm=_ -b,--binary -c,--check -t,--text -U,--UNIVERSAL -0,--01 -q,--quiet -s,--status --ignore-missing -S,--strict --tag -w,--warn", Args: "i*"},
	{Names: "b2sum gb2sum", Opts: "-l,--length=_ -b,--binary -c,--check -t,--text -z,--zero --tag --ignore-missing --quiet --status --strict -w,--warn", Args: "i*"},
	{Names: "md5", Opts: "-s=_ -c=_ --string=_ --check=_ -p -q,--quiet -r,--reverse -t,--time-trial -x,--self-test -n", Args: "i*"},
	{Names: "patch gpatch", Opts: "-i,--input=r -d,--directory=D -o,--output=w -p,--strip=_ -R,--reverse --dry-run+inert -B,--prefix=_ -F,--fuzz=_ -r,--reject-file=w -D,--ifdef=_ -g,--get=_ -V,--version-control=_ -Y,--basename-prefix=_ -z,--suffix=_ --quoting-style=_ --reject-format=_ --read-only=_ --merge?=_ -b,--backup --backup-if-mismatch --no-backup-if-mismatch -c,--context -e,--ed -E,--remove-empty-files -f,--force -l,--ignore-whitespace -n,--normal -N,--forward -s,--quiet,--silent -t,--batch -T,--set-time -u,--unified -Z,--set-utc --binary --follow-symlinks --posix --verbose", Args: "o r", Do: doPatch},
	{Names: "apply_patch applypatch", Do: doApplyPatch},
}

var databaseAdminModels = []Model{
	{Names: "mysqladmin mariadb-admin", Opts: "-u,--user=_ -h,--host=_ -p,--password?=_ -P,--port=_ -S,--socket=_ -f,--force -C,--compress -c,--count=_ -i,--sleep=_ -s,--silent -v,--verbose -E,--vertical -w,--wait?=_ -b,--no-beep -r,--relative --defaults-file=r --ssl-ca=r --ssl-key=r --protocol=_", Do: doMysqladmin},
	{Names: "dropdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ --maintenance-db=_ -f,--force -i,--interactive -V+inert -?+inert -e,--echo --if-exists -w,--no-password -W,--password", Do: doDropdb},
	{Names: "dropuser", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -V+inert -?+inert -e,--echo --if-exists -w,--no-password -W,--password -i,--interactive", Do: doDropuser},
	{Names: "createdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -D,--tablespace=_ -E,--encoding=_ -l,--locale=_ -O,--owner=_ -S,--strategy=_ -T,--template=_"},
	{Names: "createuser", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -c,--connection-limit=_ -g,--role,--member-of=_ -a,--with-admin=_ -m,--with-member=_ -v,--valid-until=_ -d,--createdb -D,--no-createdb -E,--encrypted -i,--inherit -I,--no-inherit --interactive -l,--login -L,--no-login -P,--pwprompt -r,--createrole -R,--no-createrole -s,--superuser -S,--no-superuser --replication"},
	{Names: "vacuumdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -n,--schema=_ -N,--exclude-schema=_ -j,--jobs=_ -P,--parallel=_ --min-mxid-age=_ --min-xid-age=_ -a,--all -f,--full -F,--freeze -q,--quiet -v,--verbose -z,--analyze -Z,--analyze-only --analyze-in-stages --skip-locked"},
	{Names: "reindexdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -S,--schema=_ -i,--index=_ -j,--jobs=_ --tablespace=_ -a,--all -q,--quiet -s,--system -v,--verbose --concurrently"},
	{Names: "clusterdb", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -w,--no-password -W,--password -e,--echo --maintenance-db=_ -d,--dbname=_ -t,--table=_ -a,--all -q,--quiet -v,--verbose"},
	{Names: "pg_isready", Opts: "-d,--dbname=_ -h,--host=_ -p,--port=_ -U,--username=_ -t,--timeout=_ -q,--quiet"},
	{Names: "pgbench", Opts: "-h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -i,--initialize -I,--init-steps=_ -F,--fillfactor=_ -s,--scale=_ --partitions=_ --tablespace=_ -b,--builtin=_ -f,--file=r -c,--client=_ -j,--jobs=_ -t,--transactions=_ -T,--time=_ -D,--define=_ -L,--latency-limit=_ -M,--protocol=_ -P,--progress=_ -R,--rate=_ --aggregate-interval=_ --log-prefix=w --random-seed=_ --sampling-rate=_ -C,--connect -l,--log -n,--no-vacuum -N,--skip-some-updates -q,--quiet -r,--report-per-command -S,--select-only -v,--vacuum-all"},
	{Names: "pg_dump", Opts: "-f,--file=w -h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -t,--table=_ -T,--exclude-table=_ -n,--schema=_ -N,--exclude-schema=_ -F,--format=_ -j,--jobs=_ -E,--encoding=_ -S,--superuser=_ -Z,--compress=_ -e,--extension=_ --role=_ --section=_ --snapshot=_ --lock-wait-timeout=_ --extra-float-digits=_ --filter=r --exclude-table-data=_ -a,--data-only -b,--large-objects -B -c,--clean -C,--create -O,--no-owner -s,--schema-only -v,--verbose -x,--no-privileges -w,--no-password -W,--password --if-exists --inserts --column-inserts -V+inert", Do: doDump},
	{Names: "pg_dumpall", Opts: "-f,--file=w -h,--host=_ -p,--port=_ -U,--username=_ -d,--dbname=_ -l,--database=_ -E,--encoding=_ -S,--superuser=_ --role=_ --exclude-database=_ --filter=r --lock-wait-timeout=_ -a,--data-only -c,--clean -g,--globals-only -O,--no-owner -r,--roles-only -s,--schema-only -t,--tablespaces-only -v,--verbose -x,--no-privileges -w,--no-password -W,--password --if-exists --inserts -V+inert", Do: doDump},
	{Names: "mysqldump mariadb-dump", Opts: "-r,--result-file=w -h,--host=_ -P,--port=_ -u,--user=_ -p,--password?=_ -S,--socket=_ -T,--tab=t -w,--where=_ --ignore-table=_ --defaults-file=r --defaults-extra-file=r --default-character-set=_ --ssl-ca=r --ssl-cert=r --ssl-key=r --set-gtid-purged=_ --max-allowed-packet=_ --master-data?=_ --source-data?=_ --log-error=w --fields-terminated-by=_ --protocol=_ --compatible=_ -A,--all-databases -B,--databases -c,--complete-insert -C,--compress -d,--no-data -E,--events -e,--extended-insert -F,--flush-logs -f,--force -i,--comments -K,--disable-keys -l,--lock-tables -n,--no-create-db -q,--quick -Q,--quote-names -R,--routines -t,--no-create-info -v,--verbose -x,--lock-all-tables -X,--xml -Y,--all-tablespaces --single-transaction --add-drop-table --tables -V+inert", Do: doDump},
	{Names: "mydumper", Opts: "-o,--outputdir=w -h,--host=_ -P,--port=_ -u,--user=_ -p,--password=_ -S,--socket=_ -B,--database=_ -T,--tables-list=_ -x,--regex=_ -i,--ignore-engines=_ -r,--rows=_ -s,--statement-size=_ -F,--chunk-filesize=_ -t,--threads=_ -L,--logfile=w -l,--long-query-guard=_ -X,--snapshot-interval=_ -O,--omit-from-file=r -v,--verbose=_ --defaults-file=r -m,--no-schemas -d,--no-data -G,--triggers -E,--events -R,--routines -c,--compress -e,--build-empty-files -k,--no-locks -K,--kill-long-queries -D,--daemon -a,--ask-password -V,--version+inert", Do: doDump},
	{Names: "mongoexport", Opts: "-o,--out=w --uri=_ -h,--host=_ --port=_ -u,--username=_ -p,--password=_ -d,--db=_ -c,--collection=_ -f,--fields=_ --fieldFile=r -q,--query=_ --queryFile=r --type=_ --sort=_ --skip=_ --limit=_ --config=r --sslPEMKeyFile=r --sslCAFile=r --authenticationDatabase=_ --jsonFormat=_ --jsonArray --pretty --ssl --noHeaderLine --forceTableScan -v,--verbose --quiet", Do: doDump},
	{Names: "pg_basebackup", Opts: "-D,--pgdata=w -F,--format=_ -i,--incremental=r -r,--max-rate=_ -R,--write-recovery-conf -t,--target=_ -T,--tablespace-mapping=_ --waldir=w -X,--wal-method=_ -z,--gzip -Z,--compress=_ -c,--checkpoint=_ -C,--create-slot -l,--label=_ -n,--no-clean -N,--no-sync -P,--progress -S,--slot=_ -v,--verbose -d,--dbname=_ -h,--host=_ -p,--port=_ -s,--status-interval=_ -U,--username=_ -w,--no-password -W,--password -V+inert", Do: doDump},
	{Names: "pg_restore mysqlimport mongorestore mongoimport myloader", Opts: "-c,--clean --drop -d,--dbname,--db=_ -h,--host=_ -p=_ -U,--username=_ -u=_ -F,--format=_ -j,--jobs=_ -t,--table=_ -n,--schema=_ -f,--file=_ -l,--list+inert --uri=_ --collection=_ --archive=_ --dryRun+inert -V+inert -?+inert --create,-C -o,--overwrite-tables --nsInclude=_ --nsFrom=_ --nsTo=_ -a,--data-only -e,--exit-on-error -I,--index=_ -L,--use-list=r -N,--exclude-schema=_ -O,--no-owner -P,--function=_ -s,--schema-only -S,--superuser=_ -T,--trigger=_ -v,--verbose -W,--password -w,--no-password -x,--no-privileges -1,--single-transaction --role=_ --if-exists", Do: doRestore},
	{Names: "pg_resetwal pg_resetxlog pg_dropcluster", Opts: "-n,--dry-run+inert -D=_ --stop -m=_", Do: doPgServer},
	{Names: "initdb", Opts: "-D,--pgdata=t -A,--auth=_ --auth-host=_ --auth-local=_ -E,--encoding=_ -g,--allow-group-access -k,--data-checksums --locale=_ --lc-collate=_ --lc-ctype=_ -N,--no-sync --pwfile=r -T,--text-search-config=_ -U,--username=_ -W,--pwprompt -X,--waldir=t --wal-segsize=_ -c,--set=_ -d,--debug -L=_ -n,--no-clean -S,--sync-only -s,--show+inert -V+inert", Args: "t*"},
	{Names: "pg_ctl", Opts: "-D,--pgdata=_ -l,--log=a -m,--mode=_ -o,--options=_ -p=P -t,--timeout=_ -U=_ -N=_ -P=_ -S=_ -e=_ -c,--core-files -s,--silent -w,--wait -W,--no-wait -V+inert", Do: doPgServer},
	{Names: "pg_ctlcluster", Opts: "-f,--force -m,--mode=_ -o=_ --foreground --skip-systemctl-redirect -s --stdlog", Do: doPgServer},
	{Names: "pg_upgrade", Opts: "-b,--old-bindir=_ -B,--new-bindir=_ -d,--old-datadir=_ -D,--new-datadir=_ -j,--jobs=_ -o,--old-options=_ -O,--new-options=_ -p,--old-port=_ -P,--new-port=_ -s,--socketdir=_ -U,--username=_ -c,--check+inert -k,--link -N,--no-sync -r,--retain -v,--verbose --clone --copy -V+inert"},
	{Names: "mysqld_safe mariadbd-safe", Opts: "--defaults-file=r --defaults-extra-file=r --basedir=_ --datadir=_ --ledir=_ --log-error=a --mysqld=_ --user=_ --port=_ --socket=_ --pid-file=w --nice=_ --timezone=_ --skip-kill-mysqld --skip-syslog --syslog"},
}

var debuggerModels = []Model{
	{Names: "strace", Opts: "-A -c -C -d -D -f -ff -F -h -i -k -n -N -q -qq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z --follow-forks --summary-only --summary -e,--trace=_ -E,--env=E -p,--attach=_ -u,--user=_ -b,--detach-on=_ -I,--interruptible=_ -P,--trace-path=_ -a,--columns=_ -o,--output=_ -s,--string-limit=_ -X,--const-print-style=_ -O,--summary-syscall-overhead=_ -S,--summary-sort-by=_ -U,--summary-columns=_", Style: Strict, Do: doStrace},
	{Names: "gdb lldb cgdb rust-gdb rust-lldb gdb-multiarch", Style: NoOptions, Do: doGdb},
}

var deviceModels = []Model{
	{Names: "adb", Opts: "-s,--one-device=_ -t=_ -H=_ -P=_ -L=_ -a,-d,-e", Style: Strict, Do: doAdb},
	{Names: "emulator", Style: LongDash},
	{Names: "fastboot", Opts: "-s=_ -S=_ --slot=_ -w+destroys-data", Sub: []Model{
		{Names: "erase format update flashall delete-logical-partition snapshot-update wipe-super", Effects: 4},
		{Names: "flashing oem", Sub: []Model{
			{Names: "unlock lock unlock_critical lock_critical", Effects: 4},
			{Names: "get_unlock_ability device-info"},
		}},
		{Names: "flash set_active create-logical-partition resize-logical-partition", Effects: 2},
		{Names: "devices getvar reboot reboot-bootloader continue boot fetch help"},
	}},
	{Names: "idevicerestore", Effects: 4},
	{Names: "hdiutil", Opts: "-o,-format,-fs,-volname,-size,-srcfolder,-type,-layout,-mountpoint,-mountroot=_ -force,-quiet,-verbose,-nobrowse,-readonly,-noverify,-ov,-plist", Sub: []Model{
		{Names: "attach mount detach unmount eject info verify imageinfo isencrypted checksum pmap plugins"},
		{Names: "create convert makehybrid", Args: "w*"},
		{Names: "resize compact segment flatten unflatten udifrez chpass erasekeys", Args: "o*"},
		{Names: "burn", Effects: 1},
	}},
	{Names: "espefuse.py espefuse", Opts: "-p,--port=_ -b,--baud=_ -c,--chip=_ --do-not-confirm", Sub: []Model{
		{Names: "burn_efuse burn-efuse burn_key burn-key burn_key_digest burn-key-digest burn_block_data burn-block-data burn_bit burn-bit burn_custom_mac burn-custom-mac set_flash_voltage set-flash-voltage write_protect_efuse write-protect-efuse read_protect_efuse read-protect-efuse", Effects: 4},
		{Names: "summary dump get_custom_mac get-custom-mac adc_info adc-info check_error check-error"},
	}},
	{Names: "esptool.py esptool", Opts: "-p,--port=_ -b,--baud=_ -c,--chip=_ --before,--after=_", Sub: []Model{
		{Names: "erase_flash erase-flash erase_region erase-region", Effects: 2},
		{Names: "read_flash read-flash dump_mem dump-mem", Args: "_ _ w*"},
		{Names: "write_flash write-flash flash_id flash-id chip_id chip-id read_mac read-mac image_info image-info elf2image verify_flash verify-flash merge_bin merge-bin run version get_security_info"},
	}},
	{Names: "avrdude", Opts: "-p,-c,-P,-b,-B,-C,-E,-i,-l,-x,-U=_", Do: doAvrdude},
	{Names: "xcrun", Opts: "--sdk=_ --toolchain=_ -f,--find,-r,--run,-n,--no-cache,-k,--kill-cache,-v,--verbose,-l,--log,--show-sdk-path,--show-sdk-version,--show-sdk-platform-path,--version", Style: Strict, Do: doXcrun},
	{Names: "keytool", Opts: "-delete+destroys -keystore,-alias,-storepass,-keypass,-dname,-keyalg,-keysize,-validity,-storetype,-ext,-srckeystore,-srcalias,-sigalg=_ -destkeystore=w -file=_ -list,-genkey,-genkeypair,-exportcert,-importcert,-printcert,-certreq,-v,-rfc,-noprompt,-importkeystore -conf=r -providerpath=r", Style: LongDash},
}

var diskModels = []Model{
	{Names: "mkfs mke2fs mkfs.btrfs mkfs.exfat mkfs.minix mkfs.jfs mkfs.reiserfs mkfs.nilfs2 mkfs.bcachefs mkfs.erofs mkfs.udf mkreiserfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos zfs_format", Opts: "-t,--type=_ -L,--label=_ -O=_ -b=_ -m=_ -i=_ -U=_ -E=_ -N=_ -d=_ -l=_ -s=_ -S -f -V+inert -z=w", Do: doFormat},
	{Names: "mkfs.ext2 mkfs.ext3 mkfs.ext4", Opts: "-t=_ -L=_ -O=_ -b=_ -m=_ -i=_ -U=_ -E=_ -N=_ -d=_ -l=_ -V+inert -G=_ -I=_ -J=_ -e=_ -g=_ -o=_ -r=_", Do: doFormat},
	{Names: "mkfs.xfs", Opts: "-L=_ -b=_ -m=_ -i=_ -d=_ -s=_ -V+inert -n=_ -r=_ -p=r -c=_", Do: doFormat},
	{Names: "mkfs.vfat mkfs.msdos mkdosfs", Opts: "-b=_ -m=_ -i=_ -l=_ -s=_ -S=_ -V+inert --codepage=_ -D=_ -F=_ -M=_ -R=_ -g=_ -h=_ -n=_", Do: doFormat},
	{Names: "mkfs.fat", Opts: "-b=_ -m=_ -i=_ -l=_ -s=_ -S=_ -V+inert --codepage=_ -D=_ -F=_ -M=_ -R=_ -g=_ -h=_ -n=_ -f=_ -r=_", Do: doFormat},
	{Names: "mkfs.ntfs mkntfs", Opts: "-L,--label=_ -U,--with-uuid -l,--license -s=_ -S=_ -V+inert -c,--cluster-size=_ -H,--heads=_ -z,--mft-zone-multiplier=_ -p,--partition-start=_ --sectors-per-track=_", Do: doFormat},
	{Names: "mkfs.f2fs", Opts: "-O=_ -U=_ -E=_ -d=_ -l=_ -V+inert -T=_ -a=_ -g=_ -o=_ -w=_", Do: doFormat},
	{Names: "wipefs", Opts: "-a,--all -o,--offset=_ -t,--types=_ -n,--no-act+inert -b,--backup -f,--force+force", Do: doWipefs},
	{Names: "fdisk cfdisk", Opts: "-l,--list -s,--getsz -b,--sector-size=_ -B -c,--compatibility?=_ -u,--units?=_ -C,--cylinders=_ -H,--heads=_ -S,--sectors=_ -t,--type=_ -w,--wipe=_ -W,--wipe-partitions=_ -o,--output=_ -L,--color?=_ -z,--zero -v,-V+inert -h+inert", Do: doPartition},
	{Names: "sfdisk", Opts: "-l,--list -g,--show-geometry -s,--show-size -d,--dump -J,--json -F,--list-free -V,--verify -T,--list-types -v,--version+inert -h+inert -n,--no-act+inert -N,--partno=_ -f,--force -a,--append -b,--backup -O,--backup-file=_ -o,--output=_ -X,--label=_ -w,--wipe=_ -W,--wipe-partitions=_ -u,--unit=_ --part-label --part-type --part-uuid --part-attrs --disk-id --delete -A,--activate -r,--reorder", Do: doPartition},
	{Names: "gdisk cgdisk", Opts: "-l -p,--print -v,--verify -i,--info=_ -O,--print-mbr -L,--list-types -V,--version+inert -P,--pretend+inert -o,--clear -z,--zap -Z,--zap-all --new-table -n,--new=_ -d,--delete=_ -t,--typecode=_ -c,--change-name=_ -g,--mbrtogpt -G,--randomize-guids -b,--backup=_ -R,--replicate=_ -l,--load-backup=_ -a,--set-alignment=_ -A,--attributes=_ -h,--hybrid=_ -U,--disk-guid=_ -u,--partition-guid=_ -m,--gpttombr=_ -r,--transpose=_ -E,-F,-f,-D,-S=_", Do: doPartition},
	{Names: "sgdisk", Opts: "-p,--print -v,--verify -i,--info=_ -O,--print-mbr -L,--list-types -V,--version+inert -P,--pretend+inert -o,--clear -z,--zap -Z,--zap-all -n,--new=_ -d,--delete=_ -t,--typecode=_ -c,--change-name=_ -g,--mbrtogpt -G,--randomize-guids -b,--backup=_ -R,--replicate=_ -l,--load-backup=r -a,--set-alignment=_ -A,--attributes=_ -h,--hybrid=_ -U,--disk-guid=_ -u,--partition-guid=_ -m,--gpttombr=_ -r,--transpose=_ -D,--display-alignment -E,--end-of-largest -F,--first-aligned-in-largest -f,--first-in-largest -S=_ --adjust-main-table=_ -B,--byte-swap-name=_ -N,--largest-new=_ -j,--move-main-table=_ --resize-table=_ -T,--transform-bsd=_", Do: doPartition},
	{Names: "parted gparted", Opts: "-l,--list -m,--machine -j,--json -s,--script -f,--fix -v+inert -h+inert -a,--align=_", Do: doParted},
	{Names: "blockdev", Do: doBlockdev},
	{Names: "dump restore xfsdump xfsrestore e2image partclone.ext4 partclone.restore ntfsclone partimage fsarchiver ddrescue dd_rescue", Opts: "-F=P -Q=w -E=r -D=w", Do: doImage},
	{Names: "partprobe", Opts: "-s,--summary+inert -d,--dry-run -h,-v+inert", Do: doMount},
	{Names: "lvm", Do: doLvm},
	{Names: "blkdiscard sdparm nwipe format.com secure-delete", Opts: "-n,-z,--zero -w -s -f,--force -o=_ -l=_ -p=_ -v --security-erase=_ --security-erase-enhanced=_ --user-master=_ -I -i -t -T -C -g", Do: doErase},
	{Names: "hdparm", Opts: "-a?=_ -A?=_ -b?=_ -B?=_ -c?=_ -C -d?=_ -D?=_ -E=_ -f -F -g -h -H -i -I -J?=_ -k?=_ -K?=_ -L?=_ -m?=_ -M?=_ -n?=_ -N?=_ -p?=_ -P?=_ -q -Q?=_ -r?=_ -R?=_ -s=_ -S=_ -t -T -u?=_ -v -V -w -W?=_ -x -X=_ -y -Y -z -Z --direct --security-erase=_ --security-erase-enhanced=_ --security-unlock=_ --security-set-pass=_ --security-disable=_ --security-freeze --security-help --user-master=_ --security-mode=_ --trim-sector-ranges --trim-sector-ranges-stdin --please-destroy-my-drive --yes-i-know-what-i-am-doing --read-sector=_ --write-sector=_ --repair-sector=_ --make-bad-sector=_ --fwdownload=r --sanitize-block-erase --sanitize-crypto-scramble --sanitize-overwrite=_ --sanitize-status --dco-identify --dco-restore --dco-freeze --fibmap=r --fallocate=_ --Istdin --Istdout --prefer-ata12 --verbose --offset=_ --Iraw=r", Do: doErase},
	{Names: "badblocks", Opts: "-o=_ -p=_ -t=_ -b=_ -i=r", Do: doErase},
	{Names: "scrub", Opts: "-f,--force -p=_ -b,--blocksize=_ --pattern=_ -s,--device-size=_ -D,--dirent=_", Do: doErase},
	{Names: "nvme", Do: doNvme},
	{Names: "cryptsetup veracrypt", Opts: "-q,--batch-mode -c=_ -s=_ -h=_ -d,--key-file=_ -T=_ --type=_ --header=o --header-backup-file=w --json-file=w --new-keyfile=r --master-key-file,--volume-key-file=r --progress-frequency=_", Do: doCryptsetup},
	{Names: "pvcreate pvremove pvresize pvchange vgremove vgrename vgchange vgmerge vgsplit vgextend lvrename lvchange lvremove lvcreate vgcreate pvmove lvconvert", Opts: "-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -n,--name=_ -t,--test+inert -h,--longhelp+inert --reportformat=_ -S,--select=_ --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints --addtag=_ --deltag=_ --alloc=_ -d,--debug -v,--verbose -A,--autobackup=_ -a,--activate=_ -p,--permission=_ -u,--uuid", Do: doVolume},
	{Names: "lvextend", Opts: "-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_ -m,--mirrors=_ -i,--stripes=_ -I,--stripesize=_", Do: doVolume},
	{Names: "vgreduce", Opts: "-f,--force+force -y,--yes -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_", Do: doVolume},
	{Names: "lvreduce", Opts: "-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -n=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_", Do: doVolume},
	{Names: "lvresize", Opts: "-f,--force+force -y,--yes -L,--size=_ -l,--extents=_ -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_ -i,--stripes=_ -I,--stripesize=_", Do: doVolume},
	{Names: "vgcfgrestore", Opts: "--force+force -y,--yes -t,--test+inert -h,--longhelp+inert --config=_ --profile=_ --devices=_ --devicesfile=_ --nohints -d,--debug -v,--verbose --journal=_ --lockopt=_", Do: doVolume},
	{Names: "mdadm", Opts: "-C,--create -S,--stop --zero-superblock -f,--fail -r,--remove -l=_ -n=_ -D,--detail -Q,--query -E,--examine --misc --dump=t --restore=r", Do: doMdadm},
	{Names: "zpool zfs", Opts: "-n,--dryrun+inert", Do: doPool},
	{Names: "btrfs bcachefs", Do: doBtrfs},
	{Names: "dmsetup", Do: doDmsetup},
	{Names: "nbd-client", Opts: "-d,--disconnect", Do: doMount},
	{Names: "diskutil", Do: doDiskutil},
	{Names: "mount", Opts: "-t,--types=_ -o,--options=_ -O,--test-opts=_ -L,--label=_ -U,--uuid=_ -N,--namespace=_ -T,--fstab=r --source=_ --target=_ --target-prefix=_ --options-mode=_ --options-source=_ -p,--pass-fd=_ -f,--fake+inert -l,--show-labels", Do: doMount},
	{Names: "umount", Opts: "-t,--types=_ -O,--test-opts=_ -N,--namespace=_ --fake+inert", Do: doMount},
	{Names: "losetup", Opts: "-o,--offset=_ --sizelimit=_ -b,--sector-size=_ -j,--associated=_ -O,--output=_ -l,--list -a,--all -d,--detach -D,--detach-all -f,--find -c,--set-capacity -J,--json -P,--partscan -r,--read-only -L,--nooverlap", Do: doMount},
	{Names: "partx", Opts: "-a,--add -d,--delete -u,--update -s,--show -l,--list -n,--nr=_ -o,--output=_ -t,--type=_ -S,--sector-size=_ -b,--bytes -g,--noheadings -P,--pairs -r,--raw -v,--verbose -V,--version+inert", Do: doMount},
	{Names: "delpart addpart resizepart e2label", Do: doMount},
	{Names: "swapoff", Opts: "-L=_ -U=_", Do: doMount},
	{Names: "swapon", Opts: "-L=_ -U=_ -p,--priority=_ -o,--options=_ -T,--fstab=r -s,--summary -l", Do: doMount},
	{Names: "fstrim", Opts: "-o,--offset=_ -l,--length=_ -m,--minimum=_ -t,--types=_ -I,--listed-in=_ -n,--dry-run+inert", Do: doMount},
	{Names: "resize2fs", Opts: "-S=_ -d=_ -z=w", Do: doMount},
	{Names: "xfs_growfs", Opts: "-D=_ -L=_ -R=_ -m=_ -e=_ -t=r -n+inert", Do: doMount},
	{Names: "tune2fs", Opts: "-c=_ -C=_ -e=_ -E=_ -g=_ -i=_ -I=_ -J=_ -L=_ -m=_ -M=_ -o=_ -O=_ -Q=_ -r=_ -T=_ -u=_ -U=_ -z=w -l", Do: doMount},
	{Names: "e2fsck fsck.ext4 fsck.ext3 fsck.ext2", Opts: "-b=_ -B=_ -C=_ -E=_ -j=_ -l=r -L=r -z=w -n", Do: doMount},
	{Names: "fsck", Opts: "-t=_ -C?=_ -r?=_ -l -N+inert -n", Do: doMount},
	{Names: "xfs_repair", Opts: "-l=_ -m=_ -o=_ -r=_ -t=_ -c=_ -n", Do: doMount},
	{Names: "debugfs", Opts: "-R=_ -f=r -b=_ -s=_ -d=_ -z=w", Do: doMount},
	{Names: "kpartx", Opts: "-p=_ -t=_ -l+inert", Do: doMount},
	{Names: "grub-install grub2-install update-grub grub-mkconfig grub2-mkconfig bcdedit bless update-initramfs kernel-install nvram", Opts: "-v -l", Do: doBoot},
	{Names: "efibootmgr", Opts: "-a,--active -A,--inactive -b,--bootnum=_ -B,--delete-bootnum -c,--create -C,--create-only -d,--disk=_ -D,--remove-dups -e,--edd=_ -E,--device=_ -f,--reconnect -F,--no-reconnect -g,--gpt -i,--iface=_ -I,--index=_ -l,--loader=_ -L,--label=_ -m,--mirror-below-4G=_ -M,--mirror-above-4G=_ -n,--bootnext=_ -N,--delete-bootnext -o,--bootorder=_ -O,--delete-bootorder -p,--part=_ -q,--quiet -r,--driver -t,--timeout=_ -T,--delete-timeout -u,--unicode -v,--verbose -V -w,--write-signature -y,--sysprep -@,--append-binary-args=r", Do: doBoot},
	{Names: "bootctl", Opts: "-v -l", Style: HelpWord, Do: doBoot},
	{Names: "dracut", Opts: "-f,--force -v,--verbose -q,--quiet -m,--modules=_ -o,--omit=_ -a,--add=_ --force-add=_ -d,--drivers=_ --add-drivers=_ --force-drivers=_ --omit-drivers=_ --filesystems=_ -k,--kmoddir=_ --fwdir=_ --kver=_ --libdirs=_ --no-kernel --kernel-only --strip --hostonly,-H --no-hostonly,-N --hostonly-cmdline --persistent-policy=_ --fstab --add-fstab=_ --mount=_ --device=_ -i,--include=_ -I,--install=_ -c,--conf=r --confdir=D --tmpdir=t -r,--sysroot=D -l,--local -L,--stdlog=_ --logfile=w --list-modules -M,--show-modules --keep --printsize --gzip --bzip2 --lzma --xz --lz4 --zstd --compress=_ --regenerate-all --rebuild --noimageifnotneeded --uefi --uefi-stub=r --kernel-cmdline=_ --kernel-image=r --debug --profile", Do: doBoot},
	{Names: "mkinitcpio", Opts: "-A,--addhooks=_ -c,--config=r -D,--generatedir=t -d=t -g,--generate=w -H,--hookhelp=_ -k,--kernel=_ -L,--listhooks -M,--automods -n,--nocolor -p,--preset=_ -P,--allpresets -R,--remove -r,--moduleroot=D -S,--skiphooks=_ -s,--save -t,--builddir=t -V -v,--verbose -z,--compress=_ -U,--uki=w --cmdline=r --microcode=r --splash=r --uefistub=r --kernelimage=r", Do: doBoot},
	{Names: "format", Style: Windows | CaseFold, Do: doFormatWindows},
}

var editorModels = []Model{
	{Names: "ed", Opts: "-p,--prompt=_ -s -r,--restricted -E,--extended-regexp -G,--traditional -l,--loose-exit-status -q,--quiet,--silent -v,--verbose --strip-trailing-cr", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "ex", Opts: "-c,--cmd=_ -u=x -S=x -s -t=_ -w=_ -e -E -R -v -V?=_ -n -r -F", Args: "o", Lang: "ed", Do: doEditor},
	{Names: "emacs", Opts: "--eval,-eval,--execute,-execute,-e=e -l,-load,--load,-script,--script,-x=x -f,-funcall,--funcall=_ -d,--display=_ --directory,-L=_ --insert,-insert=r -chdir,--chdir=D -u,-user,--user=_ -t,--terminal=_ -init-directory,--init-directory=_ -g,-geometry,--geometry=_ -fn,--font=_ -name,--name=_ -title,-T,--title=_ -Q,--quick -q,--no-init-file -nw,--no-window-system --batch,-batch --daemon,-daemon,--bg-daemon,--fg-daemon --debug-init --no-site-file --no-site-lisp --no-splash --no-desktop --kill,-kill --fullscreen,-fs --maximized,-mm --reverse,-r -fh,--fullheight -fw,--fullwidth -bg,--background-color=_ -fg,--foreground-color=_ -xrm=_", Args: "r*", Style: LongDash, Lang: "lisp"},
	{Names: "emacsclient", Opts: "-e,--eval=e -a,--alternate-editor=P -s,--socket-name=_ -f,--server-file=_ -d,--display=_ -F,--frame-parameters=_ -T,--tramp=_ --parent-id=_ -c,--create-frame -r,--reuse-frame -n,--no-wait -nw,-t,--tty,--nw -q,--quiet -u,--suppress-output", Args: "r*", Lang: "lisp"},
	{Names: "vim vi view vimdiff rvim gvim", Opts: "-c,--cmd=_ -u=x -U=x -S=x -s=_ -w=a -W=w -T=_ -i=_ -t=_ -q=r --servername=_ --startuptime=w -b -d -e -E -R -r -m -M -n -N -o?=_ -O?=_ -p?=_ -v -V?=_ -x -y -Y -Z -f -g -l -A -C -D -F -H --clean --noplugin --not-a-term --ttyfail --remote --remote-silent --remote-wait --remote-tab --remote-expr=_ --remote-send=_ --serverlist --literal --log=w", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nvim", Opts: "-c,--cmd=_ -u=x -S=x -s=_ -w=_ -W=_ -i=_ -t=_ -q=r -l=x -L=x --listen=_ --server=_ --startuptime=w --remote-expr=_ --remote-send=_ -b -d -D -e -E -es -Es -R -r -m -M -n -o?=_ -O?=_ -p?=_ -V?=_ -A -H --clean --noplugin --headless --embed --api-info --remote --remote-silent --remote-tab --remote-ui", Style: LongDash, Lang: "vim", Do: doEditor},
	{Names: "nano rnano pico", Opts: "-f,--rcfile=r -C,--backupdir=_ -J,--guidestripe=_ -o,--operatingdir=_ -Q,--quotestr=_ -r,--fill=_ -s,--speller=P -T,--tabsize=_ -X,--wordchars=_ -Y,--syntax=_ -A,--smarthome -B,--backup -D,--boldtext -E,--tabstospaces -F,--multibuffer -G,--locking -H,--historylog -I,--ignorercfiles -K,--rebinddelete,-d -L,--nonewlines -M,--trimblanks -N,--noconvert -O,--bookstyle -P,--positionlog -R,--restricted -S,--softwrap -U,--quickblank -V -W,--wordbounds -Z,--zap -a,--atblanks -b,--breaklonglines -c,--constantshow -e,--emptyline -g,--showcursor -h -i,--autoindent -j,--jumpyscrolling -k,--cutfromcursor -l,--linenumbers -m,--mouse -n,--noread -p,--preserve -t,--saveonexit -u,--unix -v,--view -w,--nowrap -x,--nohelp -y,--afterends -z,--listsyntaxes -q,--indicator -%,--stateflags -_,--minibar -0,--zero -!,--magic", Do: doEditor},
	{Names: "micro", Opts: "-config-dir=_ -startpos=_ -colorscheme=_ -filetype=_ -plugin=_ -clean -options -debug -profile -version", Style: LongDash, Do: doEditor},
	{Names: "helix hx", Opts: "-c,--config=r --log=w -w,--working-dir=D -g,--grammar=_ --tutor --health -v --vsplit --hsplit -V", Do: doEditor},
	{Names: "joe", Opts: "-tab=_ -lmargin=_ -rmargin=_ -encoding=_ -wordwrap -autoindent -asis -nobackups -linums -rdonly -backpath=t -skiptop=_ -lines=_ -columns=_ -baud=_", Style: LongDash, Do: doEditor},
	{Names: "kak", Opts: "-e=_ -E=_ -f=_ -s=_ -c=_ -p=_ -i=_ -ui=_ -debug=_ -n -l -d -ro -clear -version -help", Style: LongDash, Do: doEditor},
}

var environmentModels = []Model{
	{Names: "env genv", Opts: "-u,--unset=_ -C,--chdir=_ -S,--split-string=_ -P=_ -L=_ -U=_ -i,--ignore-environment -0,--null -v,--debug --list-signal-handling --block-signal?=_ --default-signal?=_ --ignore-signal?=_", Style: Strict, Do: doEnv},
	{Names: "cross-env cross-env-shell env-cmd", Opts: "-f,--file=_ -e,--environments=_ -r,--rc-file=_", Style: Strict, Do: doEnvPrefix},
	{Names: "dotenv dotenvx dotenv-vault dotenv-cli", Opts: "-f,-e,--env-file,--file=_ -q,--quote=_ -p=_ -v=_ -fv=_ --convention=_ -c", Style: Strict, Do: doDotenv},
	{Names: "direnv", Sub: []Model{
		{Names: "exec", Args: "_ C", Style: Strict, Do: doDirenvExec},
		{Names: "allow permit grant reload", Do: doDirenvAllow},
	}},
	{Names: "mise rtx", Opts: "-C,--cd=_ -E,--env=_ -j,--jobs=_ -P,--profile=_", Sub: []Model{
		{Names: "exec x", Opts: "-c,--command=c -j,--jobs=_ -C,--cd=_", Style: Strict, Do: doAfterDash},
	}},
	{Names: "asdf rbenv pyenv nodenv goenv jenv plenv phpenv tfenv swiftenv", Sub: []Model{
		{Names: "exec", Args: "C", Style: Strict},
	}},
	{Names: "nvm", Sub: []Model{
		{Names: "exec run", Opts: "--silent", Args: "_ C", Style: Strict},
	}},
	{Names: "fnm", Sub: []Model{
		{Names: "exec", Opts: "--using=_", Args: "C", Style: Strict},
	}},
	{Names: "volta", Sub: []Model{
		{Names: "run", Opts: "--node=_ --npm=_ --yarn=_ --pnpm=_ --env=E", Args: "C", Style: Strict},
	}},
	{Names: "rvm", Sub: []Model{
		{Names: "do exec", Args: "C", Style: Strict},
	}, Do: doRvm},
	{Names: "chamber", Sub: []Model{
		{Names: "exec", Style: Strict, Do: doAfterDash},
		{Names: "read export env", Effects: 64},
		{Names: "delete", Effects: 4},
	}},
	{Names: "aws-vault aws-okta saml2aws", Opts: "-d,--duration=_ -a,--idp-account=_", Sub: []Model{
		{Names: "exec", Opts: "-d,--duration=_ -m,--mfa-token=_ --region=_ --exec-profile=_", Style: Strict, Do: doAfterDash},
	}},
	{Names: "doppler infisical teller phase berglas", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --scope=_", Sub: []Model{
		{Names: "run exec", Opts: "-p,--project=_ -c,--config=_ -t,--token=_ --command=c --env=_ --path=_ --projectId=_", Style: Strict, Do: doAfterDash},
	}, Do: doCloud},
	{Names: "envchain", Args: "_ C", Style: Strict},
}

var filterModels = []Model{
	{Names: "sed gsed", Opts: "-e,--expression=_ -f,--file=r -i,-I,--in-place?=_ -l,--line-length=_ -n,--quiet,--silent -E,-r -s,--separate -z --posix --debug --sandbox -u,--unbuffered --follow-symlinks -a", Do: doSed},
	{Names: "sd", Opts: "-p,--preview+inert -F,--fixed-strings -A,--across -n,--max-replacements=_ -f,--flags=_", Args: "_ _ o*"},
	{Names: "awk gawk", Opts: "-f,--file=x -F,--field-separator=_ -v,--assign=_ -i,--include=x -e,--source=e -E,--exec=x -l,--load=_ -o?=_ -p?=_ -d?=_ -b -c -C -g -h -k -M -n -N -O -P -r -s -S -t -V --posix --traditional --sandbox --re-interval --lint?=_ --csv", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "mawk", Opts: "-f=x -F=_ -v=_ -h+inert --dump-functions", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "nawk", Opts: "-f=x -F=_ -v=_ -safe -d --csv", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "goawk", Opts: "-f=x -F=_ -v=_ -E=x -csv -H -i=_ -o=_ -b -d -da -dt -cpuprofile=w -memprofile=w", Style: Strict, Lang: "awk", Do: doAwk},
	{Names: "jq gojq jaq", Style: NoOptions, Do: doJq},
	{Names: "yq", Opts: "--arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent,-I=_ -o,--output-format=_ -i,--inplace,--in-place -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter,-f=_ --xml-attribute-prefix=_ --xml-content-name=_ --expression=_ --header-preprocess -r,--raw-output,--unwrapScalar -n,--null-input -P,--prettyPrint -C,--colors -M,--no-colors -e,--exit-status -v,--verbose -N,--no-doc -y,--yaml-output -Y,--yaml-roundtrip -j,--tojson -0,--nul-output --string-interpolation -w,--width=_", Args: "_ r*", Sub: []Model{
		{Names: "eval e eval-all ea", Opts: "--indent,-I=_ -o,--output-format=_ -i,--inplace,--in-place -p,--input-format=_ -s,--split-exp=_ --split-exp-file=r --front-matter,-f=_ --from-file=r --expression=_ -n,--null-input -P,--prettyPrint -C,--colors -M,--no-colors -e,--exit-status -v,--verbose -N,--no-doc -j,--tojson -r,--unwrapScalar", Args: "_ r*", Do: doEdited},
	}, Do: doEdited},
	{Names: "xq tomlq", Opts: "-i,--in-place --arg=_ --argjson=_ --slurpfile=_ --rawfile=_ -f,--from-file=r -L=_ --indent=_ -x,--xml-output -t,--toml-output -y,--yaml-output -Y,--yaml-roundtrip -w,--width=_ -i,--in-place --xml-dtd --xml-root=_ --xml-item-depth=_ --xml-force-list=_ -r,--raw-output -s,--slurp -n,--null-input -c,--compact-output -C,--color-output -M,--monochrome-output -S,--sort-keys -e,--exit-status -j,--join-output", Args: "_ r*", Do: doEdited},
	{Names: "dasel", Opts: "-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ --indent=_ -i=_ -p,--parser=_ -m,--multiple -n,--null -c,--compact --plain --colour,--color --merge-input-documents --pretty --root --escape-html", Args: "_ r*", Sub: []Model{
		{Names: "select put delete query", Opts: "-f,--file=r -s,--selector=_ -r,--read=_ -w,--write=_ -o,--out=w -v,--value=_ -t,--type=_ -p,--parser=_ -i,--in=_ -m,--multiple -n,--null -c,--compact --plain --colour,--color"},
	}},
	{Names: "fx", Opts: "-r,--raw -s,--slurp --yaml --toml --themes+inert --strict --no-inline", Args: "r*"},
	{Names: "man", Opts: "-H,--html?=_ -P,--pager=_ -C,--config-file=_ -M,--manpath=_ -S,-s,--sections=_ -L,--locale=_ -m,--systems=_ -e,--extension=_ -R,--recode=_ -E,--encoding=_ -p,--preprocessor=_ -r,--prompt=_ -T,--troff-device?=_ -X,--gxditview?=_ -a,--all -d,--debug -D,--default -f,--whatis -k,--apropos -K,--global-apropos -l,--local-file -w,--where,--path,--location -W,--where-cat -7,--ascii -I,--match-case -i,--ignore-case -t,--troff -Z,--ditroff --regex --wildcard --names-only --no-subpages", Do: doMan},
	{Names: "ls gls dir gdir vdir gvdir", Opts: "-I,--ignore=_ -w,--width=_ -T,--tabsize=_ --color?=_ --sort=_ --time=_ --time-style=_ --hide=_ --block-size=_ --format=_ --indicator-style=_ --quoting-style=_ -d,--directory -a,--all -A,--almost-all -b,--escape -B,--ignore-backups -c -C -D,--dired -f -F,--classify -g -G,--no-group -h,--human-readable --si -H -i,--inode -k,--kibibytes -L,--dereference -m -n,--numeric-uid-gid -N,--literal -o -p -q,--hide-control-chars -Q,--quote-name -r,--reverse -R,--recursive -s,--size -S -t -u -U -v -x -X -Z,--context -1 --group-directories-first --full-time --zero --author --file-type --show-control-chars -e -O -P -W -y -@", Do: doLs},
	{Names: "exa eza", Opts: "-I,--ignore-glob=_ -L,--level=_ -s,--sort=_ -t,--time=_ -w,--width=_ --time-style=_ --color,--colour?=_ --color-scale,--colour-scale?=_ --color-scale-mode=_ --icons?=_ --hyperlink --absolute?=_ -d,--list-dirs,--treat-dirs-as-files --group-directories-last --smart-group --no-quotes --mounts -X,--dereference -Z,--context -O,--flags -o --git-repos --git-repos-no-status --total-size --show-symlinks --no-symlinks --stdin -1,--oneline -l,--long -G,--grid -x,--across -R,--recurse -T,--tree -F,--classify -a,--all -A,--almost-all -r,--reverse --group-directories-first -D,--only-dirs -f,--only-files --git --git-ignore --no-icons -b,--binary -B,--bytes -g,--group -h,--header -H,--links -i,--inode -m,--modified -n,--numeric -S,--blocksize -u,--accessed -U,--created -@,--extended --no-permissions --no-filesize --no-user --no-time --octal-permissions", Do: doLs},
	{Names: "lsd", Opts: "-I,--ignore-glob=_ --depth=_ --sort=_ --color=_ --icon=_ --icon-theme=_ --icon-separator=_ --size=_ --blocks=_ --date=_ --permission=_ --group-dirs=_ --config-file=r --truncate-owner-after=_ --truncate-owner-marker=_ --hyperlink=_ -d,--directory-only -a,--all -A,--almost-all -F,--classify -l,--long --ignore-config -1,--oneline -R,--recursive -h,--human-readable --tree -S,--sizesort -t,--timesort -v,--versionsort -X,--extensionsort -U,--no-sort -r,--reverse --classic --no-symlink --total-size -i,--inode -g,--git -L,--dereference -Z,--context -N,--literal --header --system-protected", Do: doLs},
}

var forgeModels = []Model{
	{Names: "gh bb", Opts: "-R,--repo=_ -X,--method=_ -f,-F,--raw-field,--field=_ -H,--header=_ -q,--jq=_ -t,--template,--title=_ -b,--body=_ -F,--body-file=r --json=_ -L,--limit=_ -B,--base=_ -H,--head=_ -l,--label=_ -a,--assignee=_ -r,--reviewer=_ -m,--milestone=_ --input=r -e,--env=_ -o,--org=_ -u,--user=_ -w,--workflow=_ --visibility=_ -n,--notes=_ --notes-file=r --cleanup-tag --force -y,--yes --confirm --hostname=_ --description=_ -s,--state=_ -p,--pattern=_ -D,--dir=_ -d,--description=_ --admin --public --web --shell -c=_", Style: HelpWord, Do: doForge},
	{Names: "glab hub tea fj", Opts: "-R,--repo=_ -X,--method=_ -f,-F,--raw-field,--field=_ -H,--header=_ -q,--jq=_ -t,--template,--title=_ -b,--body=_ -F,--body-file=r --json=_ -L,--limit=_ -B,--base=_ -H,--head=_ -l,--label=_ -a,--assignee=_ -r,--reviewer=_ -m,--milestone=_ --input=r -e,--env=_ -o,--org=_ -u,--user=_ -w,--workflow=_ --visibility=_ -n,--notes=_ --notes-file=r --cleanup-tag --force -y,--yes --confirm --hostname=_ --description=_ -s,--state=_ -p,--pattern=_ -D,--dir=_ -d,--description=_ --admin --public --web --shell -c=_", Style: HelpWord | HelpWord, Do: doForge},
}

var gitModels = []Model{
	{Names: "git", Opts: "-C=D -c=_ --shallow-file=_ --git-dir=_ --work-tree=_ --exec-path?=_ --namespace=_ --super-prefix=_ --config-env=_ -p,--paginate -P,--no-pager --bare --list-cmds=_ --attr-source=_", Sub: []Model{
		{Names: "push", Opts: "-f,--force+force --force-with-lease? --force-if-includes --mirror --all --branches --tags --prune -d,--delete -n,--dry-run+inert -o,--push-option=_ --repo=_ --receive-pack,--exec=P --no-verify+skips-check --signed?=_ --recurse-submodules=_ -u,--set-upstream", Style: AnyOption, Do: doGitPush},
		{Names: "reset", Opts: "--hard --merge --keep --soft --mixed --pathspec-from-file=r -N -q,--quiet -p,--patch", Do: doGitReset},
		{Names: "clean", Opts: "-f,--force+force -d -x -X -n,--dry-run+inert -e,--exclude=_ -i,--interactive -q,--quiet", Do: doGitClean},
		{Names: "checkout", Opts: "-f,--force+force -b,-B,--orphan=_ -t,--track -l --ours --theirs -m,--merge -p,--patch --conflict=_ --pathspec-from-file=r --detach -d --guess --no-guess --recurse-submodules --no-recurse-submodules --no-merge --no-detach", Style: AnyOption, Do: doGitCheckout},
		{Names: "restore", Opts: "-s,--source=_ -S,--staged -W,--worktree -p,--patch --pathspec-from-file=r --ours --theirs -m,--merge --conflict=_", Do: doGitRestore},
		{Names: "switch", Opts: "-f,--force,--discard-changes+force -c,-C,--create,--force-create,--orphan=_ -t,--track -d,--detach -m,--merge --no-merge --conflict=_ --guess", Do: doGitSwitch},
		{Names: "stash", Opts: "-q,--quiet -m,--message=_ -u,-a --pathspec-from-file=r", Do: doGitStash},
		{Names: "branch", Opts: "-d,--delete -D -m,-M,--move -c,-C,--copy -f,--force+force -u,--set-upstream-to=_ --contains=_ --no-contains=_ --merged?=_ --sort=_ --format=_ -r,--remotes -a,--all -l,--list", Do: doGitBranch},
		{Names: "tag", Opts: "-d,--delete -f,--force+force -m,--message=_ -F,--file=r -u,--local-user=_ -l,--list -n?=_ --sort=_ --format=_ --contains=_ --points-at=_", Do: doGitTag},
		{Names: "reflog", Opts: "--expire=_ --expire-unreachable=_ --all -n,--dry-run+inert --updateref --rewrite", Do: doGitReflog},
		{Names: "gc", Opts: "--prune?=_ --aggressive --auto --force", Do: doGitGC},
		{Names: "prune", Opts: "--expire=_ -n,--dry-run+inert -v,--verbose", Do: doGitGC},
		{Names: "filter-branch", Opts: "--env-filter=P --tree-filter=P --index-filter=P --parent-filter=P --msg-filter=P --commit-filter=P --tag-name-filter=P --setup=P -d=_ -f,--force+force --original=_", Do: doGitRewrite},
		{Names: "filter-repo", Opts: "-f,--force+force -n,--dry-run+inert --path=_ --replace-text=r --analyze+inert", Do: doGitRewrite},
		{Names: "replace", Opts: "-d,--delete -l,--list -f,--force", Do: doGitRewrite},
		{Names: "update-ref", Opts: "-d,--delete -m=_ --stdin", Do: doGitUpdateRef},
		{Names: "symbolic-ref", Opts: "-d,--delete -m=_"},
		{Names: "worktree", Opts: "-f,--force+force -b,-B=_ -n,--dry-run+inert --reason=_ --expire=_", Do: doGitWorktree},
		{Names: "rm", Opts: "-r+recursive -f,--force+force -n,--dry-run+inert --cached -q --ignore-unmatch --pathspec-from-file=r", Do: doGitRm},
		{Names: "mv", Opts: "-f,--force -n,--dry-run+inert -k -v", Do: doMove},
		{Names: "read-tree", Opts: "--reset -u -m --prefix=_", Do: doGitReadTree},
		{Names: "checkout-index", Opts: "-a,--all -f,--force+force --prefix=_", Do: doGitReadTree},
		{Names: "submodule", Opts: "-q --init --recursive -b,--branch=_ -f,--force", Do: doGitSubmodule},
		{Names: "rebase", Opts: "-x,--exec=c -i,--interactive --onto=_ -s=_ -X=_ --root --autosquash -C=_", Do: doGitPlain},
		{Names: "bisect", Style: Strict, Do: doGitBisect},
		{Names: "difftool mergetool", Opts: "-x,--extcmd=P -t,--tool=_ -y", Do: doGitPlain},
		{Names: "commit", Opts: "-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message,--fixup,--squash=_ --author=_ --date=_ -n,--no-verify+skips-check --no-gpg-sign -t,--template=r --dry-run -a,--all --amend -S,--gpg-sign?=_ --trailer=_ -u?=_ --cleanup=_", Do: doGitPlain},
		{Names: "merge", Opts: "-m=_ -F,--file=r -s=_ -X=_ --no-verify+skips-check --abort", Do: doGitPlain},
		{Names: "add stage", Opts: "-f,--force+force -A,--all -u -p -n,--dry-run+inert --pathspec-from-file=r --chmod=_", Do: doGitAdd},
		{Names: "config", Opts: "--global --system --local --worktree -f,--file=_ --blob=_ --get --get-all --get-regexp --list,-l --unset --unset-all --add --replace-all --type=_ --default=_ -e,--edit --show-origin --show-scope --name-only --remove-section --rename-section -z,--null --bool --int --path", Do: doGitConfig},
		{Names: "remote", Opts: "-v -t=_ -m=_ -f --tags --push --add --delete", Do: doGitRemote},
		{Names: "clone", Opts: "-b,--branch=_ -o,--origin=_ -u,--upload-pack=P --template=_ --depth=_ --reference=_ -c,--config=_ --separate-git-dir=_ -j,--jobs=_ --shallow-since=_ --filter=_ --recurse-submodules?=_ --server-option=_ --bundle-uri=u", Do: doGitFetch},
		{Names: "fetch pull", Opts: "--upload-pack=P -j,--jobs=_ --depth=_ -s,--strategy=_ -X=_ -o=_ --shallow-since=_ --refmap=_ --filter=_ -f,--force -p,--prune -n,--dry-run", Do: doGitFetch},
		{Names: "ls-remote", Opts: "--upload-pack,--exec=P -q --sort=_ -o=_", Do: doGitFetch},
		{Names: "archive", Opts: "-o,--output=w --format=_ --prefix=_ --remote=h --exec=P --add-file=r", Do: doGitPlain},
		{Names: "bundle", Do: doGitPlain},
		{Names: "format-patch", Opts: "-o,--output-directory=_ --stdout -n=_"},
		{Names: "apply am", Opts: "-p=_ -C=_ --directory=_ --check+inert --stat+inert --exclude=_ --include=_ -3,--3way -R --numstat+inert", Args: "r*", Do: doGitApply},
		{Names: "send-email", Opts: "--to=_ --cc=_ --bcc=_ --from=_ --subject=_ --smtp-server=h --dry-run+inert --smtp-pass?=_ --smtp-user=_ --sendmail-cmd=P", Do: doGitMail},
		{Names: "imap-send request-pull", Do: doGitMail},
		{Names: "cat-file archive-file", Opts: "--batch-command --batch?=_ --batch-check?=_", Do: doGitShow},
		{Names: "grep", Opts: "-O,--open-files-in-pager?=P -e=_ -f=r -A=_ -B=_ -C=_ -m=_ --max-depth=_ --threads=_", Do: doGitShow},
		{Names: "diff log show blame annotate whatchanged shortlog", Opts: "--contents=r -G=_ -S=_ -L=_ --output=w --ext-diff+runs-program --textconv -O=_ --format=_ --pretty?=_ --since=_ --until=_ --author=_ --grep=_ -n=_ -U=_ -e=_ -f=_ --open-files-in-pager?=P", Do: doGitShow},
		{Names: "rev-parse", Do: doGitRevParse},
		{Names: "credential", Do: doGitCredential},
		{Names: "credential-store credential-cache credential-osxkeychain credential-libsecret credential-manager", Do: doGitCredential},
		{Names: "init", Opts: "--template=_ --separate-git-dir=_ -b=_ --shared?=_ --object-format=_", Do: doGitPlain},
		{Names: "notes", Opts: "-m,--message=_ -F,--file=r -C,-c,--reuse-message,--reedit-message=_", Do: doGitNotes},
		{Names: "svn p4 cvsserver daemon http-backend instaweb shell upload-pack receive-pack", Do: doGitPlain},
		{Names: "lfs", Do: doGitLFS},
		{Names: "maintenance", Do: doGitMaintenance},
		{Names: "sparse-checkout cherry-pick revert", Do: doGitPlain},
		{Names: "ls-files", Opts: "-d,--deleted -o,--others -i,--ignored -m,--modified -u,--unmerged -k,--killed -x,--exclude=_ -X,--exclude-from=r -z -c,--cached -s,--stage", Do: doGitLsFiles},
		{Names: "for-each-repo", Opts: "--config=_", Do: doGitForEach},
	}, Do: doGit},
	{Names: "bfg", Do: doGitRewriteTool},
	{Names: "git-filter-repo", Opts: "--force+force --dry-run+inert", Do: doGitRewriteTool},
	{Names: "hg", Opts: "-R,--repository=_ --cwd=D --config=_ --encoding=_ --encodingmode=_ --color=_ --pager=_ --hidden -y,--noninteractive -q,--quiet -v,--verbose --debug --debugger --traceback --time --profile", Sub: []Model{
		{Names: "push", Opts: "-f,--force+force", Do: doHgPush},
		{Names: "revert update up checkout co", Opts: "-C,--clean,-a,--all -r,--rev=_", Do: doHgRevert},
		{Names: "strip purge histedit rollback", Do: doHgStrip},
	}, Do: doHg},
	{Names: "jj", Opts: "-R,--repository=_ --at-operation,--at-op=_ --color=_ --config=_ --config-file=_ --ignore-working-copy --ignore-immutable --quiet --no-pager --debug", Sub: []Model{
		{Names: "abandon", Do: doHgStrip},
		{Names: "git", Do: doJjGit},
		{Names: "restore", Do: doHgRevert},
	}, Do: doJj},
	{Names: "svn", Opts: "--username=_ --password=_ --config-dir=_ --config-option=_ --editor-cmd=P --diff-cmd=P --diff3-cmd=P --non-interactive --trust-server-cert --trust-server-cert-failures=_ --no-auth-cache --force-interactive --password-from-stdin", Sub: []Model{
		{Names: "delete del remove rm", Opts: "--editor-cmd=c --targets=r", Do: doSvn},
		{Names: "revert", Opts: "-R,--recursive+recursive", Do: doHgRevert},
		{Names: "cleanup", Opts: "--remove-unversioned --remove-ignored", Do: doSvn},
		{Names: "commit ci", Opts: "-m=_ -F=_ --editor-cmd=c --targets=r", Do: doSvn},
	}},
}

var httpModels = []Model{
	{Names: "curl curlie", Opts: "--abstract-unix-socket=_ --alt-svc=_ --aws-sigv4=_ --cacert=_ --capath=_ -E,--cert=_ --cert-type=_ --ciphers=_ -K,--config=_ --connect-timeout=_ --connect-to=_ -C,--continue-at=_ -b,--cookie=_ -c,--cookie-jar=w --create-file-mode=_ --crlfile=_ --curves=_ -d,--data,--data-ascii=_ --data-binary=_ --data-raw=_ --data-urlencode=_ --delegation=_ --dns-interface=_ --dns-ipv4-addr=_ --dns-ipv6-addr=_ --dns-servers=_ --doh-url=_ -D,--dump-header=w --ech=_ --egd-file=_ --engine=_ --etag-compare=_ --etag-save=w --expect100-timeout=_ -F,--form=_ --form-string=_ --ftp-account=_ --ftp-alternative-to-user=_ --ftp-method=_ -P,--ftp-port=_ --ftp-ssl-ccc-mode=_ --happy-eyeballs-timeout-ms=_ --haproxy-clientip=_ -H,--header=_ --hostpubmd5=_ --hostpubsha256=_ --hsts=_ --interface=_ --ip-tos=_ --ipfs-gateway=_ --json=_ --keepalive-time=_ --keepalive-cnt=_ --key=_ --key-type=_ --krb=_ --libcurl=w --limit-rate=_ --local-port=_ --login-options=_ --mail-auth=_ --mail-from=_ --mail-rcpt=_ --max-filesize=_ --max-redirs=_ -m,--max-time=_ --netrc-file=_ --noproxy=_ --oauth2-bearer=_ -o,--output=_ --output-dir=_ --parallel-max=_ --parallel-max-host=_ --pass=_ --pinnedpubkey=_ --preproxy=_ --proto=_ --proto-default=_ --proto-redir=_ -x,--proxy=_ --proxy-cacert=_ --proxy-capath=_ --proxy-cert=_ --proxy-cert-type=_ --proxy-ciphers=_ --proxy-crlfile=_ --proxy-header=_ --proxy-key=_ --proxy-key-type=_ --proxy-pass=_ --proxy-pinnedpubkey=_ --proxy-service-name=_ --proxy-tls13-ciphers=_ --proxy-tlsauthtype=_ --proxy-tlspassword=_ --proxy-tlsuser=_ -U,--proxy-user=_ --proxy1.0=_ --pubkey=_ -Q,--quote=_ --random-file=_ -r,--range=_ --rate=_ -e,--referer=_ -X,--request=_ --request-target=_ --resolve=_ --retry=_ --retry-delay=_ --retry-max-time=_ --sasl-authzid=_ --service-name=_ --sigalgs=_ --socks4=_ --socks4a=_ --socks5=_ --socks5-gssapi-service=_ --socks5-hostname=_ -Y,--speed-limit=_ -y,--speed-time=_ --stderr=w -t,--telnet-option=_ --tftp-blksize=_ -z,--time-cond=_ --tls-max=_ --tls13-ciphers=_ --tlsauthtype=_ --tlspassword=_ --tlsuser=_ --trace=w --trace-ascii=w --trace-config=_ --unix-socket=_ -T,--upload-file=_ --url=_ --url-query=_ -u,--user=_ -A,--user-agent=_ --variable=_ --vlan-priority=_ -w,--write-out=_ -O,--remote-name --remote-name-all -G,--get -I,--head -h,--help+inert -M,--manual+inert -V,--version+inert -J,--remote-header-name", Do: doCurl},
	{Names: "wget wget2", Opts: "-e,--execute=_ -o,--output-file=w -a,--append-output=a --report-speed=_ -i,--input-file=_ -B,--base=_ --config=_ --rejected-log=w -t,--tries=_ --retry-on-http-error=_ -O,--output-document=_ --start-pos=_ --progress=_ -T,--timeout=_ --dns-timeout=_ --connect-timeout=_ --read-timeout=_ -w,--wait=_ --waitretry=_ -Q,--quota=_ --bind-address=_ --limit-rate=_ --restrict-file-names=_ --prefer-family=_ --user=_ --password=_ --use-askpass=P --local-encoding=_ --remote-encoding=_ -P,--directory-prefix=_ --cut-dirs=_ --http-user=_ --http-password=_ --default-page=_ --header=_ --compression=_ --max-redirect=_ --proxy-user=_ --proxy-password=_ --referer=_ -U,--user-agent=_ --load-cookies=_ --save-cookies=w --post-data=_ --post-file=_ --method=_ --body-data=_ --body-file=_ --secure-protocol=_ --certificate=_ --certificate-type=_ --private-key=_ --private-key-type=_ --ca-certificate=_ --ca-directory=_ --crl-file=_ --pinnedpubkey=_ --ciphers=_ --random-file=_ --ftp-user=_ --ftp-password=_ --warc-file=w --warc-header=_ --warc-max-size=_ --warc-dedup=_ --warc-tempdir=_ -l,--level=_ --backups?=_ -A,--accept=_ -R,--reject=_ --accept-regex=_ --reject-regex=_ --regex-type=_ -D,--domains=_ --exclude-domains=_ --follow-tags=_ --ignore-tags=_ -I,--include-directories=_ -X,--exclude-directories=_ --hsts-file=_ -V,--version+inert -h,--help+inert --spider", Do: doWget},
	{Names: "http https", Opts: "-o,--output=_ -d,--download -b,--body -h,--headers -p,--print=_ -P,--history-print=_ -s,--style=_ --pretty=_ --format-options=_ -a,--auth=_ -A,--auth-type=_ --session=_ --session-read-only=_ --proxy=_ --max-redirects=_ --timeout=_ --verify=_ --ssl=_ --cert=_ --cert-key=_ --cert-key-pass=_ --raw=_ --boundary=_ --default-scheme=_ --response-charset=_ --response-mime=_ --ciphers=_ --offline+inert --unix-socket=_ --resolve=_ --interface=_ -v,--verbose -m,--meta -j,--json -f,--form --multipart -F,--follow -c,--continue -q,--quiet -x,--compress -I,--ignore-stdin -S,--stream -A --check-status --all -n --debug --traceback --manual+inert", Do: doHttpie},
	{Names: "xh xhs ht", Opts: "-o,--output=_ -d,--download -b,--body -h,--headers -p,--print=_ -P,--history-print=_ -s,--style=_ --pretty=_ --format-options=_ -a,--auth=_ -A,--auth-type=_ --bearer=_ --session=_ --session-read-only=_ --proxy=_ --max-redirects=_ --timeout=_ --verify=_ --ssl=_ --cert=_ --cert-key=_ --raw=_ --default-scheme=_ --response-charset=_ --response-mime=_ --http-version=_ --resolve=_ --interface=_ --unix-socket=_ --generate=_ --offline+inert --curl+inert --curl-long+inert -j,--json -f,--form --multipart -m,--meta -v,--verbose --debug --all -q,--quiet -S,--stream -x,--compress -c,--continue -I,--ignore-stdin -F,--follow --check-status --no-check-status --https -4,--ipv4 -6,--ipv6 -n", Do: doHttpie},
	{Names: "aria2c", Opts: "-d,--dir=_ -o,--out=_ -i,--input-file=_ -l,--log=w -s,--split=_ -x,--max-connection-per-server=_ -j,--max-concurrent-downloads=_ -k,--min-split-size=_ -T,--torrent-file=_ --on-download-complete=P --on-download-start=P --on-download-error=P --on-bt-download-complete=P --on-download-stop=P --on-download-pause=P --conf-path=_ --header=_ --load-cookies=_ --save-cookies=w --checksum=_ -U,--user-agent=_ --referer=_ -m,--max-tries=_ -t,--timeout=_ -c,--continue?=_ -V,--check-integrity?=_ -q,--quiet?=_ -D,--daemon?=_ -Z,--force-sequential?=_ -R,--remote-time?=_ -S,--show-files?=_ -P,--parameterized-uri?=_ --allow-overwrite?=_ --auto-file-renaming?=_ --dry-run?=_", Do: doFetch},
	{Names: "axel", Opts: "-o,--output=_ -s,--max-speed=_ -n,--num-connections=_ -H,--header=_ -U,--user-agent=_ -T,--timeout=_ -a,--alternate -c,--no-clobber -k,--insecure -p,--percentage -q,--quiet -v,--verbose -4,--ipv4 -6,--ipv6 -N,--no-proxy -S,--search?=_ --max-redirect=_", Do: doFetch},
	{Names: "lwp-download", Opts: "-a -s", Do: doFetch},
	{Names: "lwp-request GET HEAD POST", Opts: "-m=_ -H=_ -c=_ -C=_ -p=_ -t=_ -i=_ -b=_ -o=_ -f -a -d -e -E -s -S -u -U -x -v+inert -h+inert", Args: "u*"},
	{Names: "fetch", Opts: "-o=_ -T=_ -w=_ -S=_ -B=_ -1 -4 -6 -A -a -d -F -i=_ -l -M -m -N=_ -n -P -p -q -R -r -s -U -v", Do: doFetch},
	{Names: "lynx", Opts: "-cfg=_ -post_data -dump -source -o=_ -T=_ -cols=_ -width=_ -crawl -traversal -nolist -nonumbers -hiddenlinks=_ -accept_all_cookies -cookie_file=r -cookie_save_file=w -auth=_ -pauth=_ -head -mime_header -useragent=_ -display_charset=_ -assume_charset=_ -cmd_script=r -cmd_log=w -base -force_html -stdin -term=_ -error_file=w -listonly -session,-sessionout=w -sessionin,-lss=r -socks5_proxy=h -homepage,-index=u", Args: "u*", Style: LongDash, Do: doBrowser},
	{Names: "links links2 elinks", Opts: "-dump -source -width=_ -html-numbered-links=_ -codepage=_ -bookmarks-codepage=_ -http-proxy=_ -https-proxy=_ -ftp-proxy=_ -driver=_ -mode=_ -g -no-g -no-connect -anonymous -dump-width=_ -dump-charset=_ -eval=_ -config-file=_ -config-dir=_ -no-numbering -no-references -auto-submit -base-session=_ -session-ring=_ -remote=_ -force-html -localhost -touch-files -verbose=_ -default-mime-type=_", Args: "u*", Style: LongDash, Do: doBrowser},
	{Names: "w3m", Opts: "-t=_ -r -l=_ -I=_ -O=_ -B -bookmark=r -T=_ -m -v -M -F -p=_ -s -j -e -x=_ -S -W -X -no-cookie -cookie -graph -no-graph -cols=_ -ppc=_ -ppl=_ -dump -dump_source -dump_head -dump_both -dump_extra -halfdump -o=_ -post=r -header=_ -config=r -debug -num -4 -6 -N -cmp", Args: "u*", Style: LongDash},
	{Names: "browsh", Opts: "-startup-url=u -firefox.path=P -firefox.use-existing -firefox.with-gui -http-server-mode -debug -monochrome -name=_ -time-limit=_ -version+inert", Args: "u*", Style: LongDash},
	{Names: "youtube-dl yt-dlp", Opts: "-o,--output=_ -f,--format=_ --exec=P --exec-before-download=P --downloader,--external-downloader=_ -P,--paths=_ -a,--batch-file=r --config-locations,--config-location=_ --cookies=_ --cookies-from-browser=_ -u,--username=_ -p,--password=_ -2,--twofactor=_ --video-password=_ --postprocessor-args,--ppa=_ --proxy=_ -r,--limit-rate=_ -S,--format-sort=_ -I=_ -N,--concurrent-fragments=_ -t,--preset-alias=_ --playlist-items=_ --match-filter=_ --download-archive=w --date=_ --datebefore=_ --dateafter=_ --max-filesize=_ --min-filesize=_ --user-agent=_ --referer=_ --add-header=_ --sub-langs,--sub-lang=_ --sub-format=_ --audio-format=_ --audio-quality=_ --recode-video=_ --ffmpeg-location=P --merge-output-format=_ --netrc-cmd=c --load-info-json,--load-info=r -R,--retries=_ --socket-timeout=_ --source-address=_ --cache-dir=_ -i,--ignore-errors -x,--extract-audio -q,--quiet -s,--simulate -F,--list-formats -j,--dump-json -J,--dump-single-json -g,--get-url -e,--get-title -v,--verbose -w,--no-overwrites -c,--continue -k,--keep-video -n,--netrc -4,--force-ipv4 -6,--force-ipv6 --no-playlist --yes-playlist --skip-download --write-subs --write-sub --write-auto-subs --write-info-json --write-description --write-thumbnail --embed-subs --embed-thumbnail --embed-metadata --restrict-filenames --no-part --newline --no-warnings", Args: "u*"},
	{Names: "gallery-dl", Opts: "-f,--filename=_ -d,--destination=_ -D,--directory=_ -X,--extractors=_ -a,--user-agent=_ --clear-cache=_ --cookies=_ -C,--cookies-from-browser=_ -i,--input-file=r -I,--input-file-comment=r -x,--input-file-delete=r -o,--option=_ -c,--config=r --config-yaml=r --config-toml=r -r,--limit-rate=_ -R,--retries=_ --http-timeout=_ --proxy=_ --source-address=_ -u,--username=_ -p,--password=_ --download-archive=w --range=_ --chapter-range=_ --filter=_ -e,--error-file=w --write-log=w --write-unsupported=w --exec=c --exec-after=c --sleep=_ --sleep-request=_ -P,--postprocessor=_ -q,--quiet -v,--verbose -g,--get-urls -G,--resolve-urls -j,--dump-json -J -s,--simulate -E,--extractor-info -K,--list-keywords -n,--netrc -w,--warning -N --no-mtime --no-part --no-skip --no-download --write-metadata --write-info-json --write-tags --zip --cbz", Args: "u*"},
	{Names: "you-get", Opts: "-i,--info -u,--url --json -n,--no-merge --no-caption --postfix --prefix=_ -f,--force --skip-existing-file-size-check -F,--format=_ -O,--output-filename=_ -o,--output-dir=t -p,--player=P -c,--cookies=r -t,--timeout=_ -d,--debug -I,--input-file=r -P,--password=_ -l,--playlist --first=_ --last=_ -a,--auto-rename -k,--insecure -m,--m3u8 -x,--http-proxy=_ -y,--extractor-proxy=_ --no-proxy -s,--socks-proxy=_", Args: "u*"},
	{Names: "grpcurl", Opts: "-d=_ -H=_ -proto=_ -import-path=_ -protoset=_ -cert=_ -key=_ -cacert=_ -plaintext -insecure -v -vv -emit-defaults -allow-unknown-fields -format=_ -format-error -max-time=_ -connect-timeout=_ -authority=_ -servername=_ -rpc-header=_ -reflect-header=_ -unix -expand-headers -use-reflection -max-msg-sz=_ -protoset-out=w -proto-out-dir=t", Args: "h", Style: LongDash},
	{Names: "evans", Opts: "--host=h -p,--port=_ --path=_ --package=_ --service=_ --proto=_ --header=_ --cacert=r --cert=r --certkey=r --servername=_ --web -r,--reflection -t,--tls -s,--silent -e,--edit --edit-global --verbose"},
	{Names: "websocat", Opts: "-c,--connect=_ -l,--listen=_ -H,--header=_ -x,--execute=_ --exec=_ -p=_ -n,--no-close -1,--one-message -t,--text -b,--binary -E,--exit-on-eof -k,--insecure -s,--server-mode -u,--unidirectional -U,--unidirectional-reverse -v -q -0,--null-terminated --basic-auth=_ --origin=_ --protocol=_ --header-to-env=_ --ping-interval=_ -B,--buffer-size=_", Do: doWebsocat},
	{Names: "wscat", Opts: "-c,--connect=_ -l,--listen=_ -H,--header=_ -x,--execute=_ -p,--protocol=_ -o,--origin=_ -s,--subprotocol=_ -w,--wait=_ --host=_ --auth=_ --ca=r --cert=r --key=r --passphrase=_ --proxy=_ -n,--no-check -P,--show-ping-pong -L,--location --no-color --slash", Do: doWebsocat},
	{Names: "ab", Opts: "-n=_ -c=_ -t=_ -s=_ -b=_ -B=_ -p=r -u=r -T=_ -v=_ -w -i -x=_ -y=_ -z=_ -C=_ -H=_ -A=_ -P=_ -X=_ -k -V+inert -h+inert -d -S -q -l -g=w -e=w -r -m=_ -Z=_ -f=_ -E=r", Do: doLoad},
	{Names: "wrk", Opts: "-c,--connections=_ -d,--duration=_ -t,--threads=_ -s,--script=x -H,--header=_ --timeout=_ --latency -v,--version+inert", Lang: "lua", Do: doLoad},
	{Names: "hey", Opts: "-n=_ -c=_ -q=_ -z=_ -o=_ -m=_ -H=_ -t=_ -A=_ -d=_ -D=r -T=_ -U=_ -a=_ -x=_ -h2 -host=_ -disable-compression -disable-keepalive -disable-redirects -cpus=_", Do: doLoad},
	{Names: "bombardier", Opts: "-c,--connections=_ -t,--timeout=_ -l,--latencies -m,--method=_ -b,--body=_ -f,--body-file=r -s,--stream --cert=r --key=r -k,--insecure -H,--header=_ -n,--requests=_ -d,--duration=_ -r,--rate=_ -p,--print=_ -q,--no-print -o,--format=_ --fasthttp --http1 --http2", Do: doLoad},
	{Names: "vegeta", Opts: "-body=r -cert=r -key=r -root-certs=r -targets=r -header=_ -rate=_ -duration=_ -timeout=_ -workers=_ -max-workers=_ -connections=_ -name=_ -format=_ -output=w -every=_ -type=_ -buckets=_ -redirects=_ -lazy -insecure -keepalive -http2 -h2c -cpus=_ -profile=_", Style: LongDash, Do: doLoad},
	{Names: "siege", Opts: "-C,--config -v,--verbose -q,--quiet -g,--get -p,--print -c,--concurrent=_ -r,--reps=_ -t,--time=_ -d,--delay=_ -b,--benchmark -i,--internet -f,--file=r -R,--rc=r -L,--log=a -l?=_ -m,--mark=_ -H,--header=_ -A,--user-agent=_ -T,--content-type=_ -j,--json-output --no-parser --no-follow", Do: doLoad},
	{Names: "oha", Opts: "-n=_ -c=_ -p=_ -z=_ -q=_ -t=_ -m,--method=_ -H=_ -d=_ -D=r -T=_ -a=_ -x=_ -A=_ --host=_ --cacert=r --cert=r --key=r --connect-to=_ --fps=_ --http-version=_ --http2 -r,--redirect=_ --db-url=w -o,--output=w --no-tui -j,--json --latency-correction --disable-keepalive --insecure --ipv4 --ipv6 --stats-success-breakdown --wait-ongoing-requests-after-deadline", Do: doLoad},
	{Names: "autocannon", Opts: "-c,--connections=_ -p,--pipelining=_ -d,--duration=_ -a,--amount=_ -L,--sampleInt=_ -S,--socketPath=_ -w,--workers=_ -m,--method=_ -t,--timeout=_ -T,--title=_ -b,--body=_ -i,--input=r -F,--form=_ -H,--headers=_ -B,--bailout=_ -M,--maxConnectionRequests=_ -O,--maxOverallRequests=_ -r,--connectionRate=_ -R,--overallRate=_ -D,--reconnectRate=_ -s,--servername=_ -E,--expectBody=_ --har=r --cert=r --key=r --ca=r -W,--warmup --on-port -n,--no-progress -l,--latency -I,--idReplacement -j,--json -f,--forever -x,--excludeErrorStats -C,--ignoreCoordinatedOmission --renderStatusCodes", Do: doLoad},
	{Names: "k6", Opts: "-u,--vus=_ -d,--duration=_ -i,--iterations=_ -s,--stage=_ -o,--out=_ -e,--env=_ -t,--type=_ -c,--config=r -a,--address=_ --summary-export=w --console-output=w --log-output=_ --log-format=_ --tag=_ --rps=_ --user-agent=_ --http-debug?=_ --insecure-skip-tls-verify --no-usage-report --no-summary --no-thresholds --paused -q,--quiet -v,--verbose -l,--linger -w,--throw", Do: doLoad},
	{Names: "locust", Opts: "-f,--locustfile=_ -H,--host=_ -u,--users=_ -r,--spawn-rate=_ -t,--run-time=_ -T,--tags=_ -E,--exclude-tags=_ -P,--web-port=_ --csv=w --html=w --logfile=w --config=r --master-host=_ --master-port=_ --expect-workers=_ -L,--loglevel=_ --headless --master --worker --autostart --only-summary --json -l,--list", Do: doLoad},
	{Names: "slowhttptest", Opts: "-a=_ -b=_ -c=_ -d=_ -e=_ -f=_ -i=_ -j=_ -k=_ -l=_ -m=_ -n=_ -o=w -p=_ -r=_ -s=_ -t=_ -u=_ -v=_ -w=_ -x=_ -y=_ -z=_ -1=_ -B -H -R -X -g", Do: doLoad},
	{Names: "transfer.sh-cli wormhole magic-wormhole ffsend send-cli transfersh portal qrcp sendme dropbear-send", Style: Strict, Do: doSendFile},
	{Names: "croc", Opts: "--yes --no-compress --remember --overwrite --debug --classic --local --ask --stdout --curve=_ --ip=_ --relay=_ --relay6=_ --pass=_ --socks5=_ --connect=_ --out=t --throttleUpload=_", Style: Strict, Do: doSendFile},
	{Names: "pastebinit sprunge ix nopaste wgetpaste pbincli termbin dpaste", Opts: "-b=_ -a=_ -f=_ -i=r -t=_ -P=_ -u=_ -p=_ -j=_ -E", Do: doPaste},
	{Names: "gist", Opts: "-f,--filename=_ -t,--type=_ -d,--description=_ -u,--update=_ -r,--read=_ -p,--private -a,--anonymous -c,--copy -e,--embed -o,--open -s,--shorten -P,--paste -R,--raw -l,--list?=_ --delete=_ --login --skip-empty", Do: doPaste},
	{Names: "httpie", Opts: "--debug --traceback", Do: doHttpie},
}

var interpreterModels = []Model{
	{Names: "python python3 py pythonw pypy pypy3 ipython ipython3 bpython micropython circuitpython jython cpython", Opts: "-c=_ -m=_ -W=_ -X=_ --check-hash-based-pycs=_ -b -B -d -E -h -i -I -O -P -q -s -S -u -v -V -x -R -t", Style: Strict, Lang: "python", Do: doPython},
	{Names: "node nodejs electron", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ --loader,--experimental-loader=_ -C,--conditions=_ --env-file=_ --inspect?=_ --inspect-brk?=_ -c,--check+inert --test --run=_ --title=_ --icu-data-dir=_ --openssl-config=_ --watch-path=_ --input-type=_ -i,--interactive -v,--version -h,--help --watch --no-warnings --no-deprecation --trace-warnings --trace-deprecation --trace-uncaught --throw-deprecation --pending-deprecation --enable-source-maps --expose-gc --harmony --preserve-symlinks --experimental-modules --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage --experimental-json-modules --experimental-sqlite --test-only --prof --cpu-prof --heap-prof --abort-on-uncaught-exception --force-color --no-experimental-fetch --no-experimental-strip-types --test-update-snapshots", Style: Strict, Lang: "js", Do: doNode},
	{Names: "ts-node tsx esno jiti swc-node ts-node-dev tsimp", Opts: "-e,--eval=_ -p,--print=_ -r,--require=_ --import=_ -P,--project=_ --tsconfig=_ --loader=_", Style: Strict, Lang: "js", Do: doNode},
	{Names: "deno", Opts: "--config=_ -L,--log-level=_", Style: Strict, Lang: "js", Sub: []Model{
		{Names: "publish", Opts: "--dry-run+inert --token=_", Effects: 8},
		{Names: "eval", Opts: "--ext=_ -p,--print --cert=_ -c,--config=_", Args: "e", Style: Strict, Lang: "js"},
		{Names: "run serve", Opts: "--ext=_ --cert=_ -c,--config=_ --import-map=_ --lock=_ --port=_ --host=_ --v8-flags?=_ --preload,--import=x", Style: Strict, Lang: "js", Do: doDenoRun},
		{Names: "task", Style: Strict, Do: doDenoTask},
		{Names: "test bench", Lang: "js"},
		{Names: "check lint fmt info doc cache", Lang: "js"},
	}, Do: doStdinScript},
	{Names: "bun", Opts: "-e,--eval=e -p,--print=e -r,--preload,--require,--import=x --cwd=_ -c,--config?=_ --env-file=_ --port=_ --filter,-F=_ --elide-lines=_ --define,-d=_ --loader,-l=_ --tsconfig-override=_ --conditions=_ --main-fields=_ --inspect?=_ --watch --hot --bun,-b --silent --smol --if-present --install=_ -i --no-install --prefer-offline --prefer-latest", Style: Strict, Lang: "js", Do: doBun},
	{Names: "perl perl5", Opts: "-e=_ -E=_ -I=_ -M=_ -m=_ -F=_ -x?=_ -i?=_ -l?=_ -0?=_ -C?=_ -D?=_ -d?=_ -V?=_ -c -v+inert -a -f -h -n -p -s -S -t -T -u -U -w -W -X", Style: Strict, Lang: "perl", Do: doPerl},
	{Names: "ruby jruby rbx truffleruby mruby", Opts: "-e=_ -I=_ -r=_ -C=_ -E,--encoding=_ -F=_ -x?=_ -i?=_ -0?=_ -K?=_ -T?=_ -W?=_ -U -c+inert -v --external-encoding=_ --internal-encoding=_ --enable=_ --disable=_ --backtrace-limit=_ -a -d -h -l -n -p -s -S -w --jit --yjit --verbose --version --debug", Style: Strict, Lang: "ruby", Do: doPerl},
	{Names: "irb", Opts: "-r=_ -I=_ -e,--exec=e", Style: Strict, Lang: "ruby", Do: doStdinScript},
	{Names: "pry", Opts: "-e,--exec=e -f -q,--quiet -r,--require=_ -I=_ --no-color --no-pager --simple-prompt --no-history --no-plugins -c,--context=_ -v,--version", Style: Strict, Lang: "ruby", Do: doStdinScript},
	{Names: "php php-cli php-cgi php8 php7", Opts: "-r,--run=_ -R,--process-code=_ -B,--process-begin=_ -E,--process-end=_ -f,--file=_ -F,--process-file=_ -S,--server=_ -t,--docroot=_ -c,--php-ini=_ -d,--define=_ -z,--zend-extension=_ -l,--syntax-check+inert -m,--modules+inert -i,--info -v,--version+inert", Style: Strict, Lang: "php", Do: doPhp},
	{Names: "lua lua5 luajit luau texlua resty", Opts: "-e=e -l=_ -i -v -E -W", Style: Strict, Lang: "lua", Do: doScriptFile},
	{Names: "tarantool", Opts: "-e=e -l=_ -i -j=_ -v,--version", Style: Strict, Lang: "lua", Do: doScriptFile},
	{Names: "Rscript", Opts: "-e=e --default-packages=_ --vanilla --verbose --no-save --no-restore --no-environ --no-site-file --no-init-file --slave --quiet", Style: Strict, Lang: "r", Do: doScriptFile},
	{Names: "R", Opts: "-e=e -f,--file=x -g,--gui=_ -d,--debugger=_ --args", Lang: "r", Do: doR},
	{Names: "tclsh wish jimsh", Style: Strict, Do: doTclsh},
	{Names: "groovy", Opts: "-e=e -cp,-classpath,--classpath=_ -D=_ -c,--encoding=_ -p -n", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "groovysh", Opts: "-e=e -cp=_", Style: Strict, Lang: "groovy", Do: doStdinScript},
	{Names: "scala scala-cli", Opts: "-e,--eval,-c,--code,-execute-snippet,--execute-script-snippet=e -cp,-classpath,--class-path=_ -J=_ -i,--init=x", Style: Strict, Lang: "scala", Do: doScriptFile},
	{Names: "amm", Opts: "-c,--code=e -p,--predef=x --predef-code=e --no-default-predef --no-home-predef -s,--silent -w,--watch -h,--home=D --color=_ --bsp", Style: Strict, Lang: "scala", Do: doScriptFile},
	{Names: "kotlin kotlinc jjs nashorn", Opts: "-e,--eval=e -cp,-classpath,--class-path=_ -J=_ -script=x -m,--main=_ -i,--init=x", Style: Strict, Lang: "groovy", Do: doScriptFile},
	{Names: "java", Opts: "-jar=_ -cp,-classpath,--class-path=_ -p,--module-path=_ -m,--module=_ --add-modules=_ --add-opens=_ --add-exports=_ --add-reads=_ --patch-module=_ --source=_ --upgrade-module-path=_ --limit-modules=_", Style: Strict | LongDash, Lang: "java", Do: doJava},
	{Names: "jshell", Opts: "--class-path=_ --startup=x --execution=_ --feedback=_ -R=_ -C=_ --add-modules=_ --module-path=_", Args: "x*", Style: LongDash, Lang: "java", Do: doStdinScript},
	{Names: "osascript", Opts: "-e=_ -l=_ -s=_", Style: Strict, Lang: "applescript", Do: doOsascript},
	{Names: "ghc", Opts: "-e=e -o=_", Lang: "haskell"},
	{Names: "ghci runghc runhaskell stack-runghc", Opts: "-e=e", Style: Strict, Lang: "haskell", Do: doScriptFile},
	{Names: "julia", Opts: "-e,--eval=e -E,--print=e -L,--load=x -p,--procs=_ -t,--threads=_ -J,--sysimage=_ --project?=_ -C=_", Style: Strict, Lang: "julia", Do: doScriptFile},
	{Names: "elixir iex", Opts: "-e,--eval=e --rpc-eval=_ -r=x -S=_ -pr=_ -pa=_ --sname=_ --name=_ --cookie=_", Style: Strict, Lang: "elixir", Do: doScriptFile},
	{Names: "erl", Opts: "-eval=e -s=_ -run=_ -name=_ -sname=_ -setcookie=_", Style: LongDash, Lang: "erlang"},
	{Names: "clojure clj babashka chez scheme mit-scheme newlisp", Opts: "-e,--eval,-E=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "racket", Opts: "-e,--eval=e -f,--load=x -t,--require=x -l,--lib=_ -p=_ -r,--script=x -u,--require-script=x -k=_ -m,--main -i,--repl -n,--no-lib -v,--version -V -c,--no-compiled -q,--no-init-file -I=_ -S,--search=D -C,--cross -N,--name=_ -W,--warn=_ -d -O,--stdout=_", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "guile", Opts: "-s=x -c=e -l=x -L=D -C=D -x=_ -e=_ -q -v,--version --debug --no-debug --auto-compile --fresh-auto-compile --no-auto-compile --use-srfi=_ --listen?=_ --r6rs --r7rs --language=_", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "csi", Opts: "-e,-eval=e -p,-print=e -P,-pretty-print=e -s,-script=x -ss=x -R,-require-extension=_ -I,-include-path=D -D,-feature=_ -K,-keyword-style=_ -b,-batch -n,-no-init -q,-quiet -w,-no-warnings -i,-case-insensitive -version -release", Style: Strict | LongDash, Lang: "lisp", Do: doScriptFile},
	{Names: "sbcl", Opts: "--eval=e --load=x --script=x --core=r --dynamic-space-size=_ --control-stack-size=_ --userinit=x --sysinit=x --no-userinit --no-sysinit --non-interactive --noinform --disable-debugger --noprint --disable-ldb --lose-on-corruption --merge-core-pages --quit --version --end-runtime-options --end-toplevel-options", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "clisp", Opts: "-x=e -c=r -i=x -o=w -M=r -m=_ -B=D -K=_ -N=D -E=_ -L=_ -p=_ -q -norc -ansi -traditional -modern -repl -on-error=_ -l -C -w -I -v -d --version", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "ecl", Opts: "--eval,-eval=e --load,-load=x --shell,-shell=x --compile,-compile=r -o=w -norc -dir=D -q --version", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "gosh", Opts: "-e=e -E=e -l=x -L=x -I=D -A=D -u=_ -m=_ -i -b -q -V -f=_ -F=_ -r=_ -p=_ -v=_ -x", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "janet", Opts: "-e,--eval=e -E,--expression=e -l,--lib=_ -m,--syspath=D -c,--compile=r -i,--image=r -d,--debug -n,--nocolor -N,--color -r,--repl -p,--persistent -q,--quiet -k,--flycheck -s,--noprofile,-R -w=_ -x=_ -v,--version", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "hy", Opts: "-c=e -m=_ -i=e --spy --repl-output-fn=_ -B -E -I -v,--version -u -s -S", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "fennel", Opts: "-e,--eval=e -c,--compile -r,--repl -l,--lua=P --load=x --add-package-path=_ --add-fennel-path=_ --add-macro-path=_ --globals=_ --no-compiler-sandbox --compile-binary -v,--version --correlate --plugin=x --no-metadata", Style: Strict, Lang: "lisp", Do: doScriptFile},
	{Names: "crystal", Lang: "ruby", Sub: []Model{
		{Names: "eval", Args: "e*", Lang: "ruby"},
		{Names: "run", Args: "x", Lang: "ruby"},
	}},
	{Names: "escript sage picolisp io", Opts: "-e,--eval,-E,--batch-string,-batch=e -c=e -l,--load=x -f,--file=x --script?=x -x=_ -I=_ -L=_ -r=e", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "ocaml", Opts: "-e=e -I=D -init=x -noinit -stdin -safe-string -w=_ -warn-error=_ -nostdlib -principal -rectypes -vnum -version -dparsetree -unsafe -open=_ -ppx=P -pp=P -noprompt -nopromptcont", Style: Strict | LongDash, Lang: "script", Do: doScriptFile},
	{Names: "raku", Opts: "-e=e -n -p -I=D -M=_ -c --doc?=_ --target=_ --optimize=_ --profile?=_ --ll-exception --stagestats -v,--version -V", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "rakudo", Opts: "-e=e -n -p -I=D -M=_ -c -v,--version", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "octave", Opts: "--eval=e --gui,--force-gui --no-gui -p,--path=D --built-in-docstrings-file=r -H,--no-history -f,--norc --no-init-file --no-site-file --no-window-system -i,--interactive --persist -q,--quiet,--silent -V,--verbose --traditional --no-line-editing --exec-path=D --image-path=D --info-file=r --texi-macros-file=r --debug-jit -v,--version", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "octave-cli", Opts: "--eval=e -p,--path=D -H,--no-history -f,--norc --no-init-file --no-site-file -i,--interactive --persist -q,--quiet,--silent -V,--verbose --traditional -v,--version", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "gnuplot", Opts: "-e=e -p,--persist -d,--default-settings -c=x -s,--slow -V", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "bpftrace", Opts: "-e=e -f=_ -o=w -d=_ -b -B=_ -c=c -l?=_ -p=_ -v --unsafe --usdt-file-activation -I=D --include=r -V --info -k -kk --no-warnings --no-feature=_ --aot=w --emit-elf=w -q", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "rdmd", Opts: "--build-only --chatty --compiler=P --dry-run+inert --eval=e --exclude=_ --extra-file=r --force --loop=e --main --makedepend --makedepfile=w --man --shebang --tmpdir=t", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "matlab", Opts: "-batch=e -r=e -nodisplay -nodesktop -nosplash -nojvm -noFigureWindows -sd=D -logfile=w -h -n -useStartupFolderPref -singleCompThread -automation -wait -minimize -c=_ -nouserjavapath -licmode=_", Style: Strict | LongDash, Lang: "script", Do: doScriptFile},
	{Names: "maxima", Opts: "-b,--batch=x -B,--batch-string=e -r,--run-string=e -p,--preload=x --init=x --batch-lisp=x -l,--lisp=_ -u,--use-version=_ -X,--lisp-options=_ -s,--server=_ --userdir=D --very-quiet -q,--quiet --no-init,--norc -v,--verbose --version -d,--directories -g,--enable-lisp-debugger", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "gp", Opts: "-q,--quiet -f,--fast -s,--stacksize=_ -p,--primelimit=_ -D,--default=_ --emacs --test --version", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "gforth", Opts: "-e,--evaluate=e -i,--image-file=r -m,--dictionary-size=_ -d,--data-stack-size=_ -r,--return-stack-size=_ -f,--fp-stack-size=_ -l,--locals-stack-size=_ -p,--path=_ --appl-image=r --clear-dictionary --die-on-signal --debug --no-signals -v,--version", Style: Strict, Lang: "script", Do: doScriptFile},
	{Names: "dotnet-script dotnet-fsi csharprepl fsi", Opts: "-c=_ -d -i", Style: Strict, Lang: "csharp", Sub: []Model{
		{Names: "eval", Args: "e", Lang: "csharp"},
	}, Do: doScriptFile},
	{Names: "qjs quickjs js gjs v8 seed txiki phantomjs casperjs", Opts: "-e,--eval,-c,--command=e -I,--include=x -f=x -m", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "d8", Opts: "-e=e --module -h --version --shell --allow-natives-syntax --harmony --stack-size=_", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "jsc", Opts: "-e=e -m -d -f=x -i -s -x -p=w --sample --test262-async --strict-file=x --module-file=x --exception=_ --options --useConcurrentJIT=_ --watchdog=_ --footprint", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "rhino", Opts: "-e=e -f=x -w -version=_ -opt=_ -debug -strict -fatal-warnings -encoding=_ -modules=D -require -sandbox -main=_", Style: Strict | LongDash, Lang: "js", Do: doScriptFile},
	{Names: "njs", Opts: "-a -c=e -d -f -j=_ -m=x -n=_ -p=D -q -r -s -t=_ -u -v,-V", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "mujs", Opts: "-i -s", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "duk", Opts: "-i -e,--eval=e -b -c=w --run-stdin --no-heap-destroy --no-auto-complete --recreate-heap", Style: Strict, Lang: "js", Do: doScriptFile},
	{Names: "hermes", Opts: "-exec -emit-binary -out=w -O -O0 -g -dump-ast -dump-bytecode -dump-ir -dump-js -commonjs -lazy -strict -non-strict -w -version -b -parse-only -output-source-map -eval=e", Style: Strict | LongDash, Lang: "js", Do: doScriptFile},
	{Names: "run-parts", Opts: "--test+inert --list+inert -v,--verbose --report --debug --reverse --exit-on-error --new-session --lsbsysinit --regex=_ -a,--arg=_ -u,--umask=_", Do: doRunParts},
	{Names: "m4", Opts: "-D,--define=_ -I,--include=_ -U,--undefine=_ -P,--prefix-builtins -s,--synclines -E,--fatal-warnings -Q,--quiet,--silent -F,--freeze-state=w -R,--reload-state=r -o,--error-output=w", Args: "r*", Do: doMacros},
	{Names: "dc", Opts: "-e,--expression=_ -f,--file=r", Args: "r*", Do: doMacros},
}

var languagePackagesModels = []Model{
	{Names: "cargo", Opts: "-C=D --config=_ --manifest-path=_ --target-dir=_ -p,--package=_ --features=_ --bin=_ --example=_ --test=_ -j=_ --target=_ --git=_ --path=_ --registry=_ --index=_ --version,--vers=_ --token=_ --root=_ --profile=_ -n,--dry-run+inert --color=_ --message-format=_ -Z=_ --config=_ --jobs=_ --lockfile-path=_ --explain=_ --exclude=_ --bench=_ --timings?=_", Style: NoInert | Verb, Do: doCargo},
	{Names: "go", Opts: "-C=D -exec=P -toolexec=P -o=w -run=_ -bench=_ -count=_ -timeout=_ -tags=_ -ldflags=_ -gcflags=_ -mod=_ -modfile=_ -overlay=r -p=_ -coverprofile=w -cpuprofile=w -memprofile=w -fuzz=_ -fuzztime=_ -vettool=P", Style: LongDash | NoInert, Do: doGo},
	{Names: "gem", Opts: "-v,--version=_ -s,--source=_ -i,--install-dir=_ -n,--bindir=_ -k,--key=_ --host=_ -P=_ --user-install", Do: doGem},
	{Names: "bundle bundler", Opts: "--gemfile=_ --path=_ -j=_ --without=_", Style: Strict, Do: doRunner},
	{Names: "composer", Opts: "-d,--working-dir=D --repository=_ --dev --no-scripts -n -q --dry-run+inert", Do: doComposer},
	{Names: "mvn mvnw maven", Opts: "-f,--file=_ -P=_ -pl=_ -s,--settings=_ -T=_ -D=_ -am -q -B -o -gs=_ -U -e -X -N -C -c -fae -ff -fn -l=w -t=_ -b=_ -ntp -nsu -rf=_ -emp=_ -ep=_", Style: LongDash, Do: doMaven},
	{Names: "gradle gradlew", Opts: "-p,--project-dir=_ -b,--build-file=_ -I,--init-script=x -x,--exclude-task=_ -P=_ -D=_ --console=_ -c=_ -m,--dry-run+inert -a -i,--info -d,--debug -q,--quiet -s,--stacktrace -S -w,--warn --offline --rerun-tasks --refresh-dependencies --no-daemon --daemon --continue --parallel --build-cache --no-build-cache --scan -t,--continuous -g,--gradle-user-home=_ --max-workers=_ --tests=_ --project-cache-dir=_", Do: doGradle},
	{Names: "sbt lein ant", Do: doBuildPublish},
	{Names: "dotnet", Opts: "-c,--configuration=_ -f,--framework=_ -o,--output=_ -r=_ -s,--source=_ -k,--api-key=_ --project=_ -p=_ -v=_", Sub: []Model{
		{Names: "user-secrets", Sub: []Model{
			{Names: "list", Effects: 64},
			{Names: "clear remove", Effects: 2},
			{Names: "set init"},
		}},
	}, Do: doDotnet},
	{Names: "nuget", Opts: "-Source=_ -ApiKey=_ -OutputDirectory=_ -Version=_", Style: LongDash, Do: doDotnet},
	{Names: "rebar3 hex", Do: doHex},
	{Names: "luarocks cpan cpanm opam cabal stack vcpkg carthage tlmgr julia-pkg nimble shards dub", Opts: "--server=_ --source=_ --only-server=_ --mirror=_ -e=_", Do: doOtherManager},
	{Names: "pod", Sub: []Model{
		{Names: "trunk", Sub: []Model{
			{Names: "push", Effects: 8},
			{Names: "delete deprecate", Effects: 2},
			{Names: "info me register"},
		}},
	}, Do: doOtherManager},
	{Names: "raco", Sub: []Model{
		{Names: "pkg", Sub: []Model{
			{Names: "install update", Opts: "--auto --deps=_ -i,--installation -u,--user --scope=_ --scope-dir=_ --catalog=_ -t,--type=_ -n,--name=_ --source --binary --clone=_ --link --copy --no-setup --force --skip-installed --batch --dry-run+inert", Args: "p*", Effects: 128},
			{Names: "remove", Opts: "--auto --force --demote -i,--installation -u,--user --dry-run+inert", Args: "_*", Effects: 1},
			{Names: "show", Args: "_*"},
		}},
		{Names: "make test", Opts: "-v -q,--quiet -x -j=_ -m,--make", Args: "r*"},
	}},
	{Names: "helm-plugin krew", Do: doOtherManager},
}

var lookupModels = []Model{
	{Names: "which", Opts: "-a,--all -i,--read-alias --skip-alias --read-functions --skip-functions --skip-dot --skip-tilde --show-dot --show-tilde --tty-only -s", Do: doWhich},
	{Names: "where", Opts: "-s -m -p -w", Do: doWhich},
	{Names: "whence", Opts: "-a -c -f -m -p -s -S -v -w -x=_", Do: doWhich},
	{Names: "whereis", Opts: "-b -m -s -u -l -g -B=_ -M=_ -S=_ -f", Do: doWhich},
	{Names: "basename gbasename", Opts: "-s,--suffix=_ -a,--multiple -z,--zero", Do: doBasename},
	{Names: "dirname gdirname", Opts: "-z,--zero", Do: doDirname},
	{Names: "realpath grealpath", Opts: "--relative-to=_ --relative-base=_ -e,--canonicalize-existing -m,--canonicalize-missing -L,--logical -P,--physical -q,--quiet -s,--strip,--no-symlinks -z,--zero", Do: doRealpath},
	{Names: "readlink greadlink", Opts: "-f,--canonicalize,--canonicalize-existing,--canonicalize-missing -e,-m -n,--no-newline -q,--quiet,--silent -s -v,--verbose -z,--zero", Args: "i*", Do: doRealpath},
	{Names: "whoami logname", Do: doWho},
	{Names: "id", Opts: "-u,--user -g,--group -G,--groups -n,--name -r,--real -z,--zero -Z,--context", Do: doWho},
	{Names: "getent", Opts: "-s,--service=_ -i,--no-idn -A,--no-addrconfig", Do: doGetent},
	{Names: "xdg-user-dir", Do: doXdgUserDir},
	{Names: "pgrep", Opts: "-d,--delimiter=_ -g,--pgroup=_ -G,--group=_ -P,--parent=_ -s,--session=_ -t,--terminal=_ -u,--euid=_ -U,--uid=_ -F,--pidfile=r -r,--runstates=_ -A,--ignore-ancestors --cgroup=_ --env=_ --ns=_ --nslist=_ -O,--older=_ --signal=_ -f,--full -a,--list-full -l,--list-name -n,--newest -o,--oldest -v,--inverse -x,--exact -i,--ignore-case -c,--count -w,--lightweight", Do: doPgrep},
	{Names: "pidof", Opts: "-o,--omit-pid=_ -S,--separator=_ -s,--single-shot -x -q -c,--check-root -w,--with-workers -t,--lightweight", Do: doPgrep},
	{Names: "lsof", Opts: "-a -b -C -h -l -n -N -O -P -R -t -U -v -V -w -X -M -H -A=_ -c=_ -d=_ -D=_ -e=_ -E -f=_ -F?=_ -g?=_ -i?=_ -k=_ -K?=_ -L?=_ -m=_ -o?=_ -p=_ -r?=_ -s?=_ -S?=_ -T?=_ -u=_ -x?=_ -Z?=_ -Q +c=_ +d=i +D=i +L=_", Do: doPgrep},
	{Names: "fuser", Opts: "-k,--kill -a,--all -f -i,--interactive -I,--inode -l,--list-signals+inert -m,-c,--mount -M,--ismountpoint -n,--namespace=_ -s,--silent -u,--user -v,--verbose -w -4,--ipv4 -6,--ipv6 -V,--version+inert", Do: doFuser},
}

var mailModels = []Model{
	{Names: "mail mailx Mail s-nail heirloom-mailx", Opts: "-s=_ -a,--attach=_ -A=_ -b=_ -c=_ -r=_ -S=_ -u=_ -f=_ -q=_ -E=_", Do: doMail},
	{Names: "bsd-mailx", Opts: "-s=_ -a=_ -b=_ -c=_ -r=_ -u=_ -f=_ -E", Do: doMail},
	{Names: "mutt neomutt", Opts: "-a=_ -s=_ -b=_ -c=_ -e=_ -F=_ -H=_ -i=_ -f=_", Do: doMutt},
	{Names: "sendmail ssmtp msmtp exim exim4 postfix-sendmail esmtp nullmailer-inject", Opts: "-f=_ -F=_ -o=_ -a,--account=_ -C=_ --host=h --from=_ -X=w", Do: doMail},
	{Names: "swaks sendemail sendEmail mailsend smtp-cli git-send-email mpack himalaya-send", Opts: "--to,-t=_ --from,-f=_ --server,-s=_ --body=_ --attach,-a=_ --header=_ --data=_ -u=_ -m=_ -xu=_ -xp=_ -o=_ --h-Subject=_ --output,--output-file=w --output-file-stdout,--output-file-stderr=w --tls-cert,--tls-key=r", Style: LongDash, Do: doMailTool},
	{Names: "slackcat slack-cli telegram-send discordo matrix-commander signal-cli ntfy pushover noti-send tweet toot t bsky himalaya apprise", Opts: "-c,--channel=_ -t,--title=_ -f,--file=_ -F=_ -u=_ -a=_ -m=_", Do: doSay},
	{Names: "wall", Opts: "-n,--nobanner -t,--timeout=_ -g,--group=_ -V", Do: doSay},
	{Names: "write", Opts: "-V", Args: "_*", Do: doSay},
	{Names: "postsuper", Opts: "-d=_ -c=D", Style: LongDash, Do: doSpool},
	{Names: "lprm cancel", Opts: "-P,-h=_ -u=_ -a", Do: doSpool},
	{Names: "lpadmin", Opts: "-x=_ -p=_ -d=_ -v=_ -u=_", Do: doSpool},
}

var migrationModels = []Model{
	{Names: "prisma", Opts: "--schema=_ --name=_ --force,-f --force-reset --accept-data-loss --stdin --file=_ --url=_", Do: doPrisma},
	{Names: "rails rake gitlab-rails", Opts: "-e,--environment=_ -f=_", Do: doRails},
	{Names: "mix", Opts: "-r,--repo=_ -n,--step=_ --to=_ -e=_", Style: Strict, Do: doMix},
	{Names: "artisan", Opts: "--env=_ --database=_ --path=_ --step=_ --execute=_ --force --pretend+inert", Do: doArtisan},
	{Names: "manage.py django-admin django-admin.py", Opts: "--settings=_ --database=_ --noinput,--no-input --plan+inert -c=_", Do: doDjango},
	{Names: "console symfony doctrine doctrine-migrations", Opts: "--env,-e=_ --connection=_ --force --full-database --dump-sql+inert --dry-run+inert", Do: doMigrator},
	{Names: "alembic flask-db aerich piccolo yoyo sequelize sequelize-cli knex typeorm typeorm-ts-node-commonjs drizzle-kit mikro-orm flyway liquibase dbmate hasura diesel sqlx sea-orm-cli migrate golang-migrate atlasgo sql-migrate tern soda buffalo pop db-migrate node-pg-migrate umzug phinx sqitch graphile-migrate kysely objection dbdeploy skeema pgroll refinery bytebase squawk ormolu convex strapi directus medusa payload keystone wp drush", Opts: "--env,-e=_ --config=_ --url,-u=_ --database-url,-D=_ --schema=_ --database=_ -c=_ -d=_ --name=_ --path=_ --source=_ -y -f,--force --sql,--pretend,--dry-run,--dry_run,--show+inert --configFiles=_ --password=_ --user=_ --changelog-file=_", Do: doMigrator},
}

var nodePackagesModels = []Model{
	{Names: "npm pnpm yarn ni cnpm", Opts: "--prefix,-C,--dir,--cwd=_ --registry=_ -w,--workspace,--filter,-F=_ --tag=_ --otp=_ --userconfig,--globalconfig,--use-yarnrc=_ --script-shell=P --node-options=_ --cache=_ --loglevel=_ -c,--call=c --dry-run+inert --omit=_ --include=_ --access=_ --scope=_ --depth=_ --store-dir=_ --modules-dir=_ --virtual-store-dir=_ --reporter=_ --network-concurrency=_ --changed-files-ignore-pattern=_ --test-pattern=_ --use-node-version=_ --mutex=_ --modules-folder=_ --cache-folder=_ --network-timeout=_ --link-folder=_ --proxy=_ --https-proxy=_ --emoji=_ -D,--save-dev -S,--save -E -O -f,--force+force --ignore-scripts --package,-p=_ -g,--global+global --location=_+global", Style: Verb, Do: doNpm},
	{Names: "npx bunx pnpx pnpm-dlx yarn-dlx", Opts: "-y,--yes -q,--quiet -s,--silent --no-install --no --ignore-existing --prefer-offline --prefer-online --offline --bun --verbose --include-workspace-root --workspaces --loglevel=_ --prefix=_ -p,--package=_ -c,--call=c --registry=_ --userconfig=_ -w,--workspace=_ --cache=_ --node-options=_ --shell=_", Style: Strict, Do: doNpx},
	{Names: "corepack", Do: doRunner},
}

var platformModels = []Model{
	{Names: "aliyun oci ibmcloud scw doctl linode-cli linode hcloud vultr-cli vultr exo exoscale civo upctl ovhcloud openstack govc contabo cntb tccli hcloud-cli yc jdc bce huaweicloud hwc nova cinder glance neutron swift-cli heat magnum cloudstack cmk nutanix ncli acli esxcli vim-cmd cloudctl fly flyctl heroku vercel now netlify ntl railway render supabase firebase wrangler surge koyeb dokku convox eb ecs-cli amplify cf platform upsun clever scalingo gigalixir qovery porter deta begin arc nhost appwrite amplify-cli zeet northflank fl0 cleavr ploi forge-cli vapor envoyer kinsta pantheon terminus acli-acquia lagoon shopify expo eas circleci drone woodpecker-cli datadog-ci newrelic pd pagerduty opsgenie sentry-cli sentry rollbar honeycomb grafana grafanactl grafana-cli amtool jenkins-cli jenkins-cli.jar jenkins-jobs jcli buildkite-agent bk travis appveyor bitrise codemagic-cli-tools azure-pipelines teamcity concourse fastly akamai algolia apigeecli ldcli unleash flipt launchdarkly configcat statsig growthbook optimizely cloudflare cf-terraforming flarectl bunny bunnycdn gandi namecheap dnscontrol octodns route53 cli53 godaddy pscale planetscale neonctl neon turso upstash astro databricks confluent ccloud atlas mongocli aiven avn redisctl cockroach-cloud ccloud-cli timescale tigris snow quickwit qdrant pinecone weaviate dbtcloud airbyte abctl prefect dagster temporal tctl auth0 okta clerk workos fusionauth kcadm.sh kcadm kcadm.bat keycloak zitadel authentik boundary waypoint velero splunk kong deck traefik gitlab-runner gitlab-rake step-ca apisix adc krakend tyk nats rabbitmqadmin pulsar-admin pulsarctl rpk kaf kcat-admin emqx_ctl emqx vernemq mosquitto_ctrl etcdadm consul-admin minikube kind k3d k0s k0sctl kops eksctl kubeadm rke rke2 talosctl clusterctl tkn argo kubectl-argo-rollouts linkerd istioctl cilium calicoctl rancher microk8s vcluster capp kapp ytt-kapp werf skaffold tilt devspace okteto garden telepresence crossplane nomad consul", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Do: doCloud},
	{Names: "salt-cloud", Opts: "-d,--destroy+destroys -p,--profile=_ -m,--map=r -a,--action=_ -f,--function=_ -H,--hard -P,--parallel -Q,--query -F,--full-query -S,--select-query -y,--assume-yes -c,--config-dir=_ --list-providers --list-profiles=_ --list-images=_ --list-sizes=_ --list-locations=_", Args: "_*"},
}

var powershellMachineModels = []Model{
	{Names: "stop-computer restart-computer", Opts: "-WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doStopComputer},
	{Names: "stop-service set-service remove-service suspend-service restart-service disable-service", Opts: "-Name,-DisplayName=_ -StartupType=_ -Status=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doWinService},
	{Names: "get-process get-service", Opts: "-Name,-ProcessName,-DisplayName=_ -Id=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doNamed},
	{Names: "stop-process", Opts: "-Name,-ProcessName=_ -Id=_ -InputObject=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doStopProcess},
	{Names: "format-volume clear-disk initialize-disk remove-partition set-disk clear-physicaldisk remove-virtualdisk remove-storagepool reset-physicaldisk", Opts: "-DriveLetter=_ -Number=_ -DiskNumber=_ -PartitionNumber=_ -FriendlyName=_ -FileSystem=_ -RemoveData -RemoveOEM -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doDisk},
	{Names: "clear-eventlog remove-eventlog limit-eventlog clear-history", Opts: "-LogName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doClearLog},
	{Names: "set-executionpolicy", Opts: "-ExecutionPolicy=_ -Scope=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doExecutionPolicy},
	{Names: "set-mppreference add-mppreference remove-mppreference uninstall-windowsfeature disable-windowsoptionalfeature set-netfirewallprofile disable-netfirewallrule remove-netfirewallrule new-netfirewallrule disable-bitlocker suspend-bitlocker set-psdebug disable-computerrestore", Opts: "-Enabled=_ -Profile,-All=_ -Name=_ -DisplayName=_ -Direction=_ -Action=_ -ExclusionPath=_ -ExclusionProcess=_ -MountPoint=_ -Drive=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doProtection},
	{Names: "register-scheduledtask new-scheduledtask register-scheduledjob set-scheduledtask new-service register-wmievent register-cimindicationevent unregister-scheduledtask disable-scheduledtask enable-psremoting register-objectevent", Opts: "-TaskName=_ -Action=_ -Trigger=_ -BinaryPathName=_ -Name=_ -ScriptBlock=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSchedule},
	{Names: "new-localuser set-localuser remove-localuser add-localgroupmember remove-localgroupmember new-aduser remove-aduser set-adaccountpassword add-adgroupmember remove-adobject remove-adgroup disable-adaccount remove-adorganizationalunit enable-localuser disable-localuser", Opts: "-Name=_ -Group=_ -Member=_ -Password=_ -Identity=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doAccounts},
	{Names: "set-acl", Opts: "-Path,-LiteralPath=_ -AclObject=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSetACL},
	{Names: "disable-netadapter remove-netroute remove-netipaddress set-dnsclientserveraddress", Opts: "-Name=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doNetAdapter},
	{Names: "invoke-wmimethod invoke-cimmethod", Opts: "-Class,-ClassName=_ -Name,-MethodName=_ -ArgumentList,-Arguments=_ -Path=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doWmiMethod},
	{Names: "get-wmiobject get-ciminstance remove-wmiobject remove-ciminstance", Opts: "-Class,-ClassName=_ -Namespace=_ -Query=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doWmi},
	{Names: "remove-vm stop-vm remove-vmsnapshot remove-vhd dismount-vhd", Opts: "-Name=_ -VMName=_ -Path=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doHyperV},
	{Names: "clear-recyclebin", Opts: "-WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doRecycleBin},
	{Names: "checkpoint-computer", Style: LongDash | CaseFold},
	{Names: "restore-computer", Opts: "-RestorePoint=_ -WhatIf+inert", Style: LongDash | CaseFold, Effects: 2},
}

var powershellModels = []Model{
	{Names: "powershell pwsh powershell_ise", Style: NoOptions, Do: doPowershell},
	{Names: "cmd", Style: NoOptions, Do: doCmd},
	{Names: "remove-item", Opts: "-Path,-LiteralPath,-PSPath,-LP=_ -Stream=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doRemoveItem},
	{Names: "del", Opts: "/s+recursive /q+force /f+force /p /a", Style: Windows | CaseFold, Do: doDel},
	{Names: "rd", Opts: "/s+recursive /q+force", Style: Windows | CaseFold, Do: doDel},
	{Names: "mklink", Opts: "/d /h /j", Style: Windows | CaseFold, Do: doMklink},
	{Names: "deltree", Opts: "/y+force", Style: Windows | CaseFold, Do: doDel},
	{Names: "clear-content clear-item", Opts: "-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doClearContent},
	{Names: "set-content add-content out-file tee-object export-csv export-clixml", Opts: "-Path,-LiteralPath,-FilePath,-PSPath=_ -Value=_ -InputObject=_ -Encoding=_ -Width=_ -Delimiter=_ -Append -Variable=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSetContent},
	{Names: "get-content select-string import-csv import-clixml format-hex", Opts: "-Path,-LiteralPath,-PSPath=_ -Pattern=_ -TotalCount,-Head,-First=_ -Tail,-Last=_ -Encoding=_ -Delimiter=_ -ReadCount=_ -Raw -Wait -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doGetContent},
	{Names: "get-childitem get-item resolve-path", Opts: "-Path,-LiteralPath=_ -Depth=_ -Attributes=_ -File -Directory -Name -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doGetChildItem},
	{Names: "test-path split-path join-path", Opts: "-Path,-LiteralPath=_ -PathType=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold},
	{Names: "copy-item", Opts: "-Path,-LiteralPath=_ -Destination=_ -ToSession=_ -FromSession=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doCopyItem},
	{Names: "move-item rename-item", Opts: "-Path,-LiteralPath=_ -Destination,-NewName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doMoveItem},
	{Names: "new-item", Opts: "-Path=_ -Name=_ -ItemType,-Type=_ -Value,-Target=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doNewItem},
	{Names: "set-location push-location", Opts: "-Path,-LiteralPath=D -StackName=_", Args: "D", Style: LongDash | CaseFold},
	{Names: "set-itemproperty new-itemproperty remove-itemproperty set-item", Opts: "-Path,-LiteralPath=_ -Name=_ -Value=_ -PropertyType,-Type=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doItemProperty},
	{Names: "invoke-webrequest invoke-restmethod", Opts: "-Uri=_ -OutFile=_ -Method,-CustomMethod=_ -Body=_ -InFile=_ -Headers=_ -ContentType=_ -Proxy=_ -UserAgent=_ -WebSession,-SessionVariable=_ -TimeoutSec=_ -MaximumRedirection=_ -Certificate=_ -Form=_ -Token=_ -Authentication=_ -UseBasicParsing -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doWebRequest},
	{Names: "start-bitstransfer", Opts: "-Source=_ -Destination=_ -TransferType=_ -DisplayName=_ -Asynchronous -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doBits},
	{Names: "invoke-item", Opts: "-Path,-LiteralPath=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doInvokeItem},
	{Names: "import-module add-type", Opts: "-Name=_ -TypeDefinition=_ -Path=_ -AssemblyName=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold},
	{Names: "send-mailmessage", Opts: "-To=_ -From=_ -Subject=_ -Body=_ -Attachments=_ -SmtpServer=_ -WhatIf+inert -Confirm -Force+force -Recurse+recursive -ErrorAction,-EA=_ -ErrorVariable=_ -Verbose -Filter=_ -Include=_ -Exclude=_ -Credential=_ -ComputerName,-CN=_", Style: LongDash | CaseFold, Do: doSendMail},
	{Names: "get-clipboard", Style: LongDash | CaseFold, Do: doGetClipboard},
	{Names: "convertfrom-securestring get-storedcredential", Style: LongDash | CaseFold, Do: doStoreRead},
}

var prefixModels = []Model{
	{Names: "setsid", Opts: "-c,--ctty -f,--fork -w,--wait -V", Args: "C", Style: Strict},
	{Names: "systemd-inhibit", Opts: "--what=_ --who=_ --why=_ --mode=_ --list+inert --no-pager --no-legend --no-ask-password", Args: "C", Style: Strict},
	{Names: "systemd-cat", Opts: "-t,--identifier=_ -p,--priority=_ --stderr-priority=_ --level-prefix=_ --namespace=_", Args: "C", Style: Strict},
	{Names: "nohup eatmydata catchsegv primusrun prime-run please rtk with-contenv detach", Args: "C", Style: Strict},
	{Names: "unbuffer", Opts: "-p", Args: "C", Style: Strict},
	{Names: "chronic", Opts: "-v -e", Args: "C", Style: Strict},
	{Names: "dbus-launch", Opts: "--auto-syntax --binary-syntax --sh-syntax --csh-syntax --close-stderr --exit-with-session --exit-with-x11 --autolaunch=_ --config-file=r", Args: "C", Style: Strict},
	{Names: "dbus-run-session", Opts: "--config-file=r --dbus-daemon=P", Args: "C", Style: Strict},
	{Names: "linux32 linux64 i386 x86_64", Opts: "-B,--32bit -F,--fdpic-funcptrs -I,--short-inode -L,--addr-compat-layout -R,--addr-no-randomize -S,--whole-seconds -T,--sticky-timeouts -X,--read-implies-exec -Z,--mmap-page-zero -3,--3gb --4gb --uname-2.6 -v,--verbose -V", Args: "C", Style: Strict},
	{Names: "noti", Opts: "-t,--title=_ -m,--message=_ -b,--banner -s,--speech -w,--pwatch=_ -f,--file=r -k,--slack -o,--pushover -p,--pushbullet -v -e", Args: "C", Style: Strict},
	{Names: "ifne", Opts: "-n", Args: "C", Style: Strict},
	{Names: "nocache", Opts: "-n=_", Args: "C", Style: Strict},
	{Names: "chayang", Opts: "-d=_", Args: "C", Style: Strict},
	{Names: "time gtime", Opts: "-f,--format=_ -o,--output=w -a,--append -p,--portability -v,--verbose -q,--quiet -l -h", Args: "C", Style: Strict},
	{Names: "caffeinate", Opts: "-t=_ -w=_ -d -i -m -s -u", Args: "C", Style: Strict},
	{Names: "fakeroot", Opts: "-l,--lib=_ --faked=_ -s=_ -i=_ -b=_", Args: "C", Style: Strict},
	{Names: "dumb-init", Opts: "-r,--rewrite=_", Args: "C", Style: Strict},
	{Names: "torsocks tsocks", Opts: "-f=_ -u,--user=_ -p,--pass=_ -a=_ -P,--port=_ -i,--isolate -q,--quiet -d,--debug --shell -v", Args: "C", Style: Strict},
	{Names: "torify", Opts: "-v,--verbose -V", Args: "C", Style: Strict},
	{Names: "proxychains proxychains4 proxychains-ng", Opts: "-f=r -q", Args: "C", Style: Strict},
	{Names: "rlwrap", Opts: "-b,--break-chars=_ -f,--file=_ -H,--history-filename=_ -s,--histsize=_ -C,--command-name=_ -l,--logfile=w -q=_ -S=_ -t=_ -z,--filter=_ -e=_ -M=_ -m?=_ -p?=_ -P=_ -D=_ -g=_ -a?=_ -A?=_ -c -d?=_ -E -i -I -n -N -o -O=_ -r -R -U -v -w=_ -W?=_ -X -Y", Args: "C", Style: Strict},
	{Names: "xvfb-run", Opts: "-a,--auto-servernum -l,--listen-tcp -e,--error-file=w -f,--auth-file=_ -n,--server-num=_ -p,--xauth-protocol=_ -s,--server-args=_ -w,--wait=_", Args: "C", Style: Strict},
	{Names: "optirun", Opts: "-b,--backend=_ -C,--config=_ -d,--display=_ -l,--ldpath=_ --vgl-compress=_ --vgl-options=_ --primus-ldpath=_ --no-xorg --no-failsafe -q,--quiet -s,--silent -v,--verbose -V", Args: "C", Style: Strict},
	{Names: "cgexec", Opts: "-g=_ --sticky -b", Args: "C", Style: Strict},
	{Names: "choom", Opts: "-n,--adjust=_ -p,--pid=_ -V", Args: "C", Style: Strict},
	{Names: "nice", Opts: "-n,--adjustment=_", Args: "C", Style: Strict},
	{Names: "ionice", Opts: "-c,--class=_ -n,--classdata=_ -p,--pid=_ -P,--pgid=_ -u,--uid=_ -t,--ignore -V", Args: "C", Style: Strict},
	{Names: "stdbuf", Opts: "-i,--input=_ -o,--output=_ -e,--error=_", Args: "C", Style: Strict},
	{Names: "timeout gtimeout", Opts: "-s,--signal=_ -k,--kill-after=_ -f,--foreground -p,--preserve-status -v,--verbose", Args: "_ C", Style: Strict},
	{Names: "timelimit", Opts: "-t=_ -T=_ -s=_ -S=_ -p -q", Args: "C", Style: Strict},
	{Names: "chrt", Opts: "-b,--batch -d,--deadline -f,--fifo -i,--idle -o,--other -r,--rr -a,--all-tasks -R,--reset-on-fork -v,--verbose -T,--sched-runtime=_ -P,--sched-period=_ -D,--sched-deadline=_ -m,--max -p,--pid -V", Args: "_ C", Style: Strict},
	{Names: "taskset", Opts: "-a,--all-tasks -c,--cpu-list -p,--pid -V", Args: "_ C", Style: Strict},
	{Names: "numactl", Opts: "-C,--physcpubind=_ -N,--cpunodebind=_ -m,--membind=_ -i,--interleave=_ -p,--preferred=_ -l -s,--show -H,--hardware -a,--all -P,--preferred-many=_ -w,--weighted-interleave=_ --localalloc -b,--balancing -V --file=w", Args: "C", Style: Strict},
	{Names: "prlimit", Opts: "-p,--pid=_ -o,--output=_ -c,--core?=_ -d,--data?=_ -e,--nice?=_ -f,--fsize?=_ -i,--sigpending?=_ -l,--memlock?=_ -m,--rss?=_ -n,--nofile?=_ -q,--msgqueue?=_ -r,--rtprio?=_ -s,--stack?=_ -t,--cpu?=_ -u,--nproc?=_ -v,--as?=_ -x,--locks?=_ -y,--rttime?=_ --noheadings --raw --verbose -V", Args: "C", Style: Strict},
	{Names: "cpulimit", Opts: "-l,--limit=_ -p,--pid=_ -e,--exe=_ -P,--path=_ -b,--background -f,--foreground -c,--cpu=_ -k,--kill -m,--monitor-forks -i,--include-children -r,--restore -s,--signal=_ -v,--verbose -z,--lazy -q,--quiet", Args: "C", Style: Strict},
	{Names: "trickle", Opts: "-u=_ -d=_ -w=_ -t=_ -l=_ -n=_ -p=_ -L=_ -s -v -V", Args: "C", Style: Strict},
	{Names: "setarch", Style: NoOptions, Do: doSetarch},
	{Names: "arch", Opts: "-arch=_ -d=_ -e=E -32 -64 -arm64 -x86_64 -i386 -c", Args: "C", Style: Strict | LongDash},
	{Names: "setpriv", Opts: "--ambient-caps=_ --inh-caps=_ --bounding-set=_ --ruid=_ --euid=_ --rgid=_ --egid=_ --reuid=_ --regid=_ --groups=_ --securebits=_ --pdeathsig=_ --selinux-label=_ --apparmor-profile=_ -d,--dump --clear-groups --keep-groups --init-groups --list-caps --no-new-privs,--nnp --reset-env --ptracer=_ --landlock-access=_ --landlock-rule=_ --seccomp-filter=r -V", Args: "C", Style: Strict},
	{Names: "tini", Opts: "-p=_ -e=_ -s -v -vv -vvv -w -g -l", Args: "C", Style: Strict},
	{Names: "gosu su-exec setuidgid s6-setuidgid", Style: Strict, Do: doAsUser},
	{Names: "s6-applyuidgid", Opts: "-z -u=_ -g=_ -G=_ -U", Args: "C", Style: Strict | Strict},
	{Names: "envdir", Opts: "-f=_ -m -p=_", Args: "_ C", Style: Strict},
	{Names: "s6-envdir", Opts: "-I -i -n -f -L -l=_ -c=_", Args: "_ C", Style: Strict},
	{Names: "faketime", Opts: "-f -m -p=_ --exclude-monotonic --date-prog=P", Args: "_ C", Style: Strict},
	{Names: "envuidgid", Args: "_ C", Style: Strict},
	{Names: "softlimit", Opts: "-a=_ -c=_ -d=_ -f=_ -l=_ -m=_ -o=_ -p=_ -r=_ -s=_ -t=_", Args: "C", Style: Strict},
	{Names: "chpst", Opts: "-u=_ -U=_ -b=_ -e=_ -/=_ -n=_ -l=_ -L=_ -m=_ -d=_ -o=_ -p=_ -f=_ -c=_ -C=_ -P -0 -1 -2 -v -V", Args: "C", Style: Strict},
	{Names: "valgrind hotspot", Opts: "-e=_ -o,--output=w -p=_ -n=_ -s=_ -l,--library=_ -F=_ -x=_ -a=_ -u=_ -c=_ -A=_ -D=_ --event=_ --freq=_ -q,--quiet -v,--verbose --tool=_ --leak-check?=_ --log-file?=w --xml-file?=w --suppressions?=r --trace-children?=_ --track-origins?=_ --show-leak-kinds?=_ --error-exitcode?=_ --num-callers?=_ --gen-suppressions?=_ --vgdb?=_", Style: Strict, Do: doProfiler},
	{Names: "heaptrack", Opts: "-r,--raw -p,--pid=_ -a,--analyze=r --record-only -d,--debug --use-inject -q,--quiet -v -o,--output=w", Style: Strict, Do: doProfiler},
	{Names: "memusage", Opts: "-p,--png=w -d,--data=w -n,--progname=_ -u,--unbuffered -b,--buffer=_ --no-timer -m,--mmap -t,--time-based -T,--total --title=_ -x,--x-size=_ -y,--y-size=_ -V", Style: Strict, Do: doProfiler},
	{Names: "ltrace", Opts: "-a,--align=_ -A=_ -b,--no-signals -c -C,--demangle -D,--debug=_ -e=_ -f -F,--config=r -i -l,--library=_ -L -n,--indent=_ -o,--output=w -p=_ -r -s=_ -S -t -tt -ttt -T -u=_ -w,--where=_ -x=_ -V", Style: Strict, Do: doProfiler},
	{Names: "uftrace", Opts: "-d,--data=t -f,--output-fields=_ -F,--filter=_ -N,--notrace=_ -D,--depth=_ -t,--time-filter=_ -A,--argument=_ -R,--retval=_ -a,--auto-args -P,--patch=_ -k,--kernel -e,--estimate-return -l,--nest-libcall -L,--libmcount-path=_ -S,--script=x -T,--trigger=_ -v,--verbose -V --opt-file=r --logfile=w --no-pager", Style: Strict, Do: doProfiler},
	{Names: "rr", Opts: "-n,--no-syscall-buffer -h,--chaos -c,--num-cpu-ticks=_ -o,--output-trace-dir=t -p,--print-trace-dir=_ -t,--continue-through-signal=_ -u,--cpuid-features -w,--wait --env=E -s,--always-switch", Style: Strict, Do: doProfiler},
	{Names: "samply", Opts: "-p,--pid=_ -r,--rate=_ -d,--duration=_ -o,--output=w -s,--save-only -n,--no-open -P,--port=_ --profile-name=_ --main-thread-only --iteration-count=_ --reuse-threads -a", Style: Strict, Do: doProfiler},
	{Names: "vtune", Opts: "-collect,-c=_ -report,-R=_ -result-dir,-r=t -duration,-d=_ -target-pid=_ -knob=_ -app-working-dir=D -search-dir=t -source-search-dir=t -format=_ -report-output=w -quiet,-q -help -version -data-limit=_ -finalization-mode=_", Style: Strict | LongDash, Do: doProfiler},
	{Names: "kcov", Opts: "--collect-only --report-only -p,--pid=_ -l,--limits=_ --sort-type=_ --include-path=_ --exclude-path=_ --include-pattern=_ --exclude-pattern=_ --include-line=_ --exclude-line=_ --exclude-region=_ --path-strip-level=_ --skip-solibs --exit-first-process --clean --replace-src-path=_ --coveralls-id=_ --strip-path=_ --merge --bash-method=_ --bash-parser=P --python-parser=P --debug=_ --verify --configure=_ -v", Args: "_ C", Style: Strict | Strict},
	{Names: "bcov", Opts: "-p=_ -v=_", Args: "_ C", Style: Strict | Strict},
	{Names: "perf", Opts: "-v --no-pager --buildid-dir=t --debugfs-dir=_", Sub: []Model{
		{Names: "stat record trace top mem lock sched c2c kmem", Opts: "-e,--event=_ -o,--output=w -p,--pid=_ -t,--tid=_ -C,--cpu=_ -F,--freq=_ -c,--count=_ -r,--repeat=_ -I,--interval-print=_ -x=_ -G,--cgroup=_ -D,--delay=_ -m,--mmap-pages=_ -u,--uid=_ -j,--branch-filter=_ --call-graph=_", Args: "C", Style: Strict},
	}},
	{Names: "ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux.so.2 ld-linux-armhf.so.3 ld.so", Opts: "--library-path=_ --preload=_ --audit=_ --inhibit-rpath=_ --argv0=_ --glibc-hwcaps-prepend=_ --glibc-hwcaps-mask=_ --list --verify --list-tunables --list-diagnostics --inhibit-cache", Args: "C", Style: Strict},
	{Names: "ld-musl-x86_64.so.1 ld-musl-aarch64.so.1", Opts: "--list --library-path=_ --preload=_ --argv0=_", Args: "C", Style: Strict},
	{Names: "busybox toybox", Style: NoOptions, Do: doApplet},
	{Names: "command_not_found_handle", Args: "C", Style: NoOptions},
}

var privilegeModels = []Model{
	{Names: "sudo", Opts: "-u,--user=_ -g,--group=_ -h,--host=_ -p,--prompt=_ -C,--close-from=_ -D,--chdir=_ -R,--chroot=_ -r,--role=_ -t,--type=_ -T,--command-timeout=_ -U,--other-user=_ -a,--auth-type=_ -c,--login-class=_ -l,--list+inert -v,--validate+inert -V,--version+inert -k,--reset-timestamp -K,--remove-timestamp -e,--edit -s,--shell -i,--login --preserve-env?=_ -n,--non-interactive -E -H,--set-home -S,--stdin -A,--askpass -b,--background -B,--bell -N,--no-update -P,--preserve-groups", Style: Strict, Do: doSudo},
	{Names: "doas", Opts: "-u=_ -C=_ -a=_ -s -n -L", Style: Strict, Do: doDoas},
	{Names: "run0", Opts: "-u,--user=_ -g,--group=_ -D,--chdir=_ --setenv=_ --unit=_ --property=_ --description=_ --slice=_ --nice=_ --machine=_ --background=_ --no-ask-password --via-shell --pty --pipe --shell-prompt-prefix=_ --lightweight=_ --area=_ --empower -i,--empower-shell", Style: Strict, Do: doDoas},
	{Names: "pkexec lxsudo", Opts: "-u,--user=_ -m=_ --disable-internal-agent --keep-cwd", Style: Strict, Do: doDoas},
	{Names: "gksudo gksu", Opts: "-u,--user=_ -g,--disable-grab -d,--debug -k,--preserve-env -D,--description=_ -m,--message=_ -p,--print-pass -S,--sudo-mode -w,--su-mode -l,--login", Style: Strict, Do: doDoas},
	{Names: "kdesudo", Opts: "-u=_ -c=c -d -f=_ -i=_ -n -p=_ -r -s -t --comment=_ --noignorebutton --attach=_", Style: Strict, Do: doDoas},
	{Names: "kdesu", Opts: "-u=_ -c=c -d -f=_ -i=_ -n -p=_ -r -s -t --noignorebutton --attach=_", Style: Strict, Do: doDoas},
	{Names: "beesu", Opts: "-l -m -P -c=c", Style: Strict, Do: doDoas},
	{Names: "su", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -w,--whitelist-environment=_ -l,--login -m,-p,--preserve-environment -f,--fast -P,--pty -T,--no-pty -V", Do: doSu},
	{Names: "runuser", Opts: "-c,--command,--session-command=_ -s,--shell=_ -g,--group=_ -G,--supp-group=_ -u,--user=_ -w,--whitelist-environment=_ -l,--login -m,-p,--preserve-environment -f,--fast -P,--pty -T,--no-pty -V", Style: Strict, Do: doRunuser},
	{Names: "sg", Style: Strict, Do: doSg},
	{Names: "newgrp", Do: doNewgrp},
	{Names: "capsh", Style: NoOptions, Do: doCapsh},
	{Names: "machinectl", Opts: "-M,--machine=_ --uid=_ -E,--setenv=_ -p,--property=_ --value -q,--quiet -l,--full --kill-whom=_ -s,--signal=_ --read-only --mkdir --force -n,--lines=_ --max-addresses=_ -o,--output=_ --verify=_ --format=_ --runner=_ -H,--host=_ --no-pager --no-legend --no-ask-password -a,--all --now", Sub: []Model{
		{Names: "shell", Opts: "--uid=_ -E,--setenv=_ -M,--machine=_", Style: Strict, Do: doMachineShell},
	}},
}

var probeModels = []Model{
	{Names: "dig", Opts: "-4 -6 -b=_ -c=_ -f=r -k=r -m -p=_ -q=_ -r -t=_ -u -v -x=_ -y=_ -h", Do: doLookup},
	{Names: "drill", Opts: "-D -T -S -I=_ -4 -6 -a -b=_ -c=r -d=r -f=r -i=r -k=r -p=_ -r=r -s -t -u -v -V=_ -w=w -x -y=_ -z -h", Do: doLookup},
	{Names: "kdig", Opts: "-4 -6 -b=_ -c=_ -d -E -k=r -p=_ -q=_ -t=_ -V -x=_ -y=_ -h", Do: doLookup},
	{Names: "delv", Opts: "-4 -6 -a=r -b=_ -c=_ -d=_ -h -i -m -p=_ -q=_ -t=_ -v -x=_", Do: doLookup},
	{Names: "doggo", Opts: "-q,--query=_ -t,--type=_ -n,--nameserver=_ -c,--class=_ -x,--reverse --any -6,--ipv6 -4,--ipv4 --ndots=_ --search --timeout=_ --strategy=_ --skip-hostname-verification --tls-hostname=_ -J,--json --short --color --debug --time --gp-from=_ --gp-limit=_", Do: doLookup},
	{Names: "dog", Opts: "-q,--query=_ -t,--type=_ -n,--nameserver=_ --class=_ --edns=_ --txid=_ -Z=_ -U,--udp -T,--tcp -S,--tls -H,--https -1,--short -J,--json --color,--colour=_ --seconds --time -v", Do: doLookup},
	{Names: "nslookup dnslookup", Do: doLookup},
	{Names: "host", Opts: "-a -A -C -d -l -m=_ -n -N=_ -p=_ -r -R=_ -s -t=_ -T -U -v -V -w -W=_ -4 -6 -c=_", Do: doLookup},
	{Names: "adnshost", Opts: "-t,--type=_ -f,--pipe -s,--search -o,--owner=_ -i,--ptr=_ -Fi -Fs -a -q,--quiet", Do: doLookup},
	{Names: "dnsx", Opts: "-l,-list=r -d,-domain=_ -w,-wordlist=r -a -aaaa -cname -ns -txt -srv -ptr -mx -soa -any -axfr -caa -recon -e,-exclude-type=_ -re,-resp -ro,-resp-only -rc,-rcode=_ -cdn -asn -t,-threads=_ -rl,-rate-limit=_ -o,-output=w -j,-json -silent -v,-verbose -r,-resolver=_ -retry=_ -trace -resume -proxy=_ -wt,-wildcard-threshold=_ -wd,-wildcard-domain=_ -hf,-hostsfile -stream", Style: LongDash, Do: doLookup},
	{Names: "ping", Opts: "-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -C --data=_ --data-string=_ -d -E,--file=r -4 -6 -a -A -b -B -D -f -L -n -N=_ -O -q -r -R -U -v -V -F=_", Do: doPing},
	{Names: "ping6", Opts: "-c=_ -i=_ -I=_ -W=_ -w=_ -s=_ -t=_ -p=_ -M=_ -m=_ -Q=_ -S=_ -T=_ -l=_ -E,--file=r -N=_ -F=_", Do: doPing},
	{Names: "fping", Opts: "-a,--alive -A,--addr -b,--size=_ -B,--backoff=_ -c,--count=_ -C,--vcount=_ -d,--rdns -D,--timestamp -e,--elapsed -f,--file=r -g,--generate -H,--ttl=_ -i,--interval=_ -I,--iface=_ -l,--loop -m,--all -M,--dontfrag -n,--name -N,--netdata -o,--outage -O,--tos=_ -p,--period=_ -q,--quiet -Q,--squiet=_ -r,--retry=_ -R,--random -s,--stats -S,--src=_ -t,--timeout=_ -T=_ -u,--unreach -v -x,--reachable=_ -4 -6", Do: doPing},
	{Names: "hping3", Opts: "-v -c,--count=_ -i,--interval=_ --fast --faster --flood -n,--numeric -q,--quiet -I,--interface=_ -V,--verbose -D,--debug -z,--bind -Z,--unbind --beep -0,--rawip -1,--icmp -2,--udp -8,--scan=_ -9,--listen=_ -a,--spoof=_ --rand-dest --rand-source -t,--ttl=_ -N,--id=_ -H,--ipproto=_ -W,--winid -r,--rel -f,--frag -x,--morefrag -y,--dontfrag -g,--fragoff=_ -m,--mtu=_ -o,--tos=_ -G,--rroute -s,--baseport=_ -p,--destport=_ -k,--keep -w,--win=_ -O,--tcpoff=_ -Q,--seqnum -b,--badcksum -M,--setseq=_ -L,--setack=_ -F,--fin -S,--syn -R,--rst -P,--push -A,--ack -U,--urg -X,--xmas -Y,--ymas -d,--data=_ -E,--file=r -e,--sign=_ -j,--dump -J,--print -B,--safe -u,--end -T,--traceroute --tr-stop --tr-keep-ttl --tr-no-rtt", Do: doPing},
	{Names: "nping", Opts: "--tcp-connect --tcp --udp --icmp --arp --tr,--traceroute -p,--dest-port=_ -g,--source-port=_ --flags=_ --win=_ --data=_ --data-string=_ --data-length=_ -c,--count=_ --delay=_ --rate=_ -e,--interface=_ -S,--source-ip=_ --ttl=_ --echo-client,--ec=_ --echo-server,--es=_ -N,--no-capture -v -q -d -H,--hide-sent -4 -6 -V --privileged --unprivileged", Do: doPing},
	{Names: "arping", Opts: "-b -A -c=_ -D -f -I=_ -i=_ -q -s=_ -S=_ -U -V -w=_ -W=_ -C=_ -r -R -d -0 -t=_ -T=_", Do: doPing},
	{Names: "traceroute traceroute6", Opts: "-f=_ -i=_ -m=_ -p=_ -q=_ -s=_ -w=_ -c=_ -4 -6 -I -T -d -F -n -r -e -A -V -N=_ -t=_ -l=_ -g=_ -z=_ -O=_ -M=_ -P=_ -U -UL -D --mtu --back --sport=_ --fwmark=_", Args: "h"},
	{Names: "tracepath", Opts: "-4 -6 -b -l=_ -m=_ -n -p=_ -V", Args: "h"},
	{Names: "mtr", Opts: "-4 -6 -F,--filename=r -u,--udp -T,--tcp -I,--interface=_ -a,--address=_ -f,--first-ttl=_ -m,--max-ttl=_ -U,--max-unknown=_ -P,--port=_ -L,--localport=_ -s,--psize=_ -B,--bitpattern=_ -i,--interval=_ -G,--gracetime=_ -Q,--tos=_ -e,--mpls -Z,--timeout=_ -M,--mark=_ -r,--report -w,--report-wide -c,--report-cycles=_ -j,--json -x,--xml -C,--csv -l,--raw -p,--split -t,--curses --displaymode=_ -g,--gtk -n,--no-dns -b,--show-ips -o,--order=_ -y,--ipinfo=_ -z,--aslookup -S,--sctp -v", Args: "h"},
	{Names: "tcptraceroute", Opts: "-d -n -N -i=_ -f=_ -l=_ -q=_ -t=_ -m=_ -p=_ -P=_ -s=_ -w=_ -S -A -E -F", Args: "h"},
	{Names: "whois", Opts: "-h=h -p=_ -H -I -a -b -B -c -d -g=_ -G -i=_ -K -l -L -m -M -q=_ -r -R -s=_ -t=_ -T=_ -v=_ -x --verbose --no-recursion", Args: "_*", Do: doLookup},
	{Names: "finger", Opts: "-l -m -s -p", Args: "_*", Do: doLookup},
	{Names: "nmap", Opts: "-p=_ -iL=r -oN=w -oX=w -oG=w -oA=w -oS=w --script=_ --script-args=_ --exclude=_ --excludefile=r -D=_ -S=_ -e=_ -g=_ --source-port=_ --data=_ --data-string=_ --max-rate=_ --min-rate=_ -T=_ --top-ports=_ --datadir=_ -iR=_ --dns-servers=_ --proxies=_ --host-timeout=_ --max-retries=_ -sS -sT -sA -sW -sM -sU -sN -sF -sX -sn -sL -sP -sV -sC -sO -sY -sZ -sI=_ -b=_ -Pn -PS?=_ -PA?=_ -PU?=_ -PE -PP -PM -PO?=_ -PR -n -R -O -A -F -r -v -vv -d -6 -f -T0 -T1 -T2 -T3 -T4 -T5 --traceroute --open --reason --system-dns --packet-trace --iflist --append-output --resume=o --stylesheet=_ --webxml --no-stylesheet --privileged --unprivileged --send-eth --send-ip --version-intensity=_ --version-light --version-all --version-trace --script-trace --script-updatedb --script-help=_ --script-args-file=r --osscan-limit --osscan-guess --port-ratio=_ --exclude-ports=_ --min-hostgroup=_ --max-hostgroup=_ --min-parallelism=_ --max-parallelism=_ --min-rtt-timeout=_ --max-rtt-timeout=_ --initial-rtt-timeout=_ --scan-delay=_ --max-scan-delay=_ --mtu=_ --data-length=_ --ip-options=_ --ttl=_ --spoof-mac=_ --badsum --servicedb=r --versiondb=r -V --stats-every=_", Style: LongDash, Do: doScan},
	{Names: "masscan", Opts: "-p,--ports,--port=_ -iL=r -oJ=w -oX=w -oL=w --rate,--max-rate=_ -o=w -B=_ -i=_ -a,--addresses=h -b=_ -c,--conf=r --echo --banners --exclude=_ --excludefile=r --includefile=r --router-mac=_ --source-ip,--adapter-ip=_ --source-port,--adapter-port=_ --adapter-mac=_ -e,--adapter,--interface=_ --ping --readscan=r -oB=w -oG=w --open --open-only --wait=_ --retries=_ --shard=_ --seed=_ --pcap=w --offline --top-ports=_ --iflist --resume=r --http-user-agent=_ -v -V --nmap --append-output --randomize-hosts -sS -Pn -n", Style: LongDash, Do: doScan},
	{Names: "zmap", Opts: "-p,--target-port,--target-ports=_ -o,--output-file=w -b,--blocklist-file,--blacklist-file=r -w,--allowlist-file,--whitelist-file=r -I,--list-of-ips-file=r -r,--rate=_ -B,--bandwidth=_ -n,--max-targets=_ -t,--max-runtime=_ -N,--max-results=_ -P,--probes=_ -c,--cooldown-time=_ -e,--seed=_ --retries=_ -d,--dryrun+inert --shards=_ --shard=_ -s,--source-port=_ -S,--source-ip=_ -G,--gateway-mac=_ --source-mac=_ -i,--interface=_ -X,--iplayer -M,--probe-module=_ --probe-args=_ --list-probe-modules -f,--output-fields=_ -O,--output-module=_ --output-args=_ --output-filter=_ --list-output-modules --list-output-fields -v,--verbosity=_ -l,--log-file=w -L,--log-directory=t -m,--metadata-file=w -u,--status-updates-file=w -q,--quiet --disable-syslog --notes=_ --user-metadata=_ -C,--config=r -T,--sender-threads=_ --cores=_ --ignore-blocklist-errors -V", Style: LongDash, Do: doScan},
	{Names: "rustscan", Opts: "-a,--addresses=h -p,--ports=_ -r,--range=_ -n,--no-config --no-banner -c,--config-path=r -g,--greppable --accessible --resolver=_ -b,--batch-size=_ -t,--timeout=_ --tries=_ -u,--ulimit=_ --scan-order=_ --scripts=_ --top -e,--exclude-ports=_ -x,--exclude-addresses=_ --udp -V", Do: doScan},
	{Names: "unicornscan", Opts: "-b,--broken-crc=_ -B,--source-port=_ -c,--proc-duplicates -d,--delay-type=_ -D,--no-defpayload -e,--enable-module=_ -E,--proc-errors -F,--try-frags -G,--payload-group=_ -H,--do-dns -i,--interface=_ -I,--immediate -j,--ignore-seq=_ -l,--logfile=w -L,--packet-timeout=_ -m,--mode=_ -M,--module-dir=t -p,--ports=_ -P,--pcap-filter=_ -q,--covertness=_ -Q,--quiet -r,--pps=_ -R,--repeats=_ -s,--source-addr=_ -S,--no-shuffle -t,--ip-ttl=_ -T,--ip-tos=_ -u,--debug=_ -U,--no-openclosed -w,--safefile=w -W,--fingerprint=_ -v,--verbose -V -z,--sniff -Z,--drone-type=_", Do: doScan},
	{Names: "naabu", Opts: "-host=h -l,-list=r -eh,-exclude-hosts=_ -ef,-exclude-file=r -p,-port=_ -tp,-top-ports=_ -ep,-exclude-ports=_ -pf,-ports-file=r -ec,-exclude-cdn -cdn -c=_ -rate=_ -o,-output=w -j,-json -csv -sa,-scan-all-ips -s,-scan-type=_ -source-ip=_ -il,-interface-list -i,-interface=_ -nmap -nmap-cli=c -r=_ -proxy=_ -sD,-service-discovery -sV,-service-version -timeout=_ -retries=_ -verify -silent -v,-verbose -version -stats -passive -Pn -sn,-host-discovery -config=r -resume -stream", Style: LongDash, Do: doScan},
	{Names: "nikto setoolkit", Opts: "-h,-host,-url=h -p,-port=_ -o,-output=w -Format=_ -Tuning=_ -Plugins=_ -id=_ -ssl -nossl -root=_ -C,-Cgidirs=_ -config=r -D,-Display=_ -evasion=_ -maxtime=_ -mutate=_ -nolookup -nocache -no404 -Pause=_ -timeout=_ -T=_ -useproxy?=_ -Userdbs=_ -vhost=_ -Version -update -dbcheck -followredirects -ask=_ -useragent=_ -Save=t -RSAcert=r -key=r -until=_", Style: LongDash, Do: doIntrusion},
	{Names: "sqlmap", Opts: "-u,--url=u -d=_ -l=r -m=r -r=r -g=_ -c=r -A,--user-agent=_ -H,--header=_ --method=_ --data=_ --param-del=_ --cookie=_ --load-cookies=r --drop-set-cookie --random-agent --host=_ --referer=_ --headers=_ --auth-type=_ --auth-cred=_ --auth-file=r --proxy=_ --proxy-cred=_ --proxy-file=r --tor --delay=_ --timeout=_ --retries=_ -o --threads=_ -p=_ --skip=_ --dbms=_ --os=_ --prefix=_ --suffix=_ --tamper=_ --level=_ --risk=_ --technique=_ -a,--all -b,--banner --current-user --current-db --is-dba --users --passwords --dbs --tables --columns --schema --count --dump --dump-all -D=_ -T=_ -C=_ --sql-query=q --sql-shell --sql-file=r --os-cmd=_ --os-shell --os-pwn --file-read=_ --file-write=r --file-dest=_ -s=r -t=w --batch --crawl=_ --forms --flush-session --output-dir=t --eval=e --wizard --purge -v=_ --tmp-dir=t --answers=_ --config=r --update", Style: LongDash, Lang: "python", Do: doIntrusion},
	{Names: "gobuster", Opts: "-u,--url=u -w,--wordlist=r -o,--output=w -t,--threads=_ -x,--extensions=_ -s,--status-codes=_ -b,--status-codes-blacklist=_ -c,--cookies=_ -H,--headers=_ -U,--username=_ -P,--password=_ -a,--useragent=_ -p,--proxy=_ -k,--no-tls-validation -r,--follow-redirect -f,--add-slash -e,--expanded -n,--no-status -q,--quiet -z,--no-progress -v,--verbose -d,--domain=h --delay=_ --timeout=_ --pattern=r --exclude-length=_ --append-domain --no-error --no-color -m,--method=_", Style: LongDash | HelpWord, Do: doIntrusion},
	{Names: "ffuf", Opts: "-u=u -w=r -H=_ -X=_ -b=_ -d=_ -r -recursion -recursion-depth=_ -recursion-strategy=_ -x=_ -replay-proxy=_ -http2 -timeout=_ -sni=_ -cc=r -ck=r -ac -acc=_ -c -config=r -json -maxtime=_ -maxtime-job=_ -noninteractive -p=_ -rate=_ -s -sa -scraperfile=r -search=_ -se -sf -t=_ -v -V -mc=_ -ml=_ -mr=_ -ms=_ -mt=_ -mw=_ -mmode=_ -fc=_ -fl=_ -fr=_ -fs=_ -ft=_ -fw=_ -fmode=_ -D -e=_ -enc=_ -ic -input-cmd=c -input-num=_ -input-shell=P -mode=_ -request=r -request-proto=_ -debug-log=w -o=w -od=t -of=_ -or -ignore-body -raw", Style: LongDash, Do: doIntrusion},
	{Names: "dirb", Opts: "-a=_ -b -c=_ -f -H=_ -i -l -N=_ -o=w -p=_ -P=_ -r -R -S -t -u=_ -v -w -x=r -X=_ -z=_ -E=r", Args: "u r", Style: LongDash, Do: doIntrusion},
	{Names: "dirbuster", Opts: "-H -l=r -r=w -e=_ -t=_ -s=_ -g -P -R -u=u -v", Style: LongDash, Do: doIntrusion},
	{Names: "wfuzz", Opts: "-c -v -f=w -o=_ --interact -p=_ -t=_ -s=_ -R=_ -D=_ -L,--follow -Z -X=_ -u=u -z=_ -w=r -m=_ -V=_ -b=_ -d=_ -H=_ --basic=_ --ntlm=_ --digest=_ --hc=_ --hl=_ --hw=_ --hh=_ --sc=_ --sl=_ --sw=_ --sh=_ --ss=_ --hs=_ --filter=_ --prefilter=_ --script=_ --script-args=_ --recipe=r --dump-recipe=w --dry-run+inert --prev --conn-delay=_ --req-delay=_ -e=_ -A -I --zP=_ --zD=_ --zE=_ --slice=_ --ip=_ --field=_ --efield=_", Style: LongDash, Do: doIntrusion},
	{Names: "hydra", Opts: "-R -I -S -s=_ -l=_ -L=r -p=_ -P=r -x=_ -y -r -e=_ -u -C=r -M=r -o=w -b=_ -f -F -t=_ -T=_ -w=_ -W=_ -c=_ -4 -6 -v -V -d -O -K -q -U -m=_", Style: LongDash, Do: doIntrusion},
	{Names: "ncrack", Opts: "-iX=r -iN=r -iL=r --exclude=_ --excludefile=r -p=_ -m=_ -g=_ -T=_ --connection-limit=_ --stealthy-linear -U=r -P=r --user=_ --pass=_ --passwords-first --pairwise -oN=w -oX=w -oA=w -v -d --nsock-trace=_ --log-errors --append-output --resume=r --save=w -f -6 -sL,--list --datadir=t --proxy=_ -V", Style: LongDash, Do: doIntrusion},
	{Names: "patator", Opts: "-e=_ -C=_ -X=_ -G=_ -x=_ --timeout=_ --allow-ignore-failures -l,--log-dir=t -L=_ -R=w --csv=w --xml=w --hits=w --resume=_ -t,--threads=_ --rate-limit=_ --max-retries=_ --start=_ --stop=_ --groups=_ --auto-progress=_ -d,--debug", Style: LongDash, Do: doIntrusion},
	{Names: "nuclei", Opts: "-u,-target=u -l,-list=r -resume=r -sa,-scan-all-ips -t,-templates=r -tu,-template-url=u -w,-workflows=r -nt,-new-templates -as,-automatic-scan -validate -td,-template-display -tl -a,-author=_ -tags=_ -etags=_ -itags=_ -id,-template-id=_ -eid,-exclude-id=_ -s,-severity=_ -es,-exclude-severity=_ -pt,-type=_ -o,-output=w -sresp,-store-resp -srd,-store-resp-dir=t -silent -nc,-no-color -j,-jsonl -me,-markdown-export=t -se,-sarif-export=w -je,-json-export=w -config=r -H,-header=_ -V,-var=_ -r,-resolvers=r -headless -code -sr,-system-resolvers -ps,-passive -iserver,-interactsh-server=_ -itoken,-interactsh-token=_ -ni,-no-interactsh -fuzz -rl,-rate-limit=_ -bs,-bulk-size=_ -c,-concurrency=_ -timeout=_ -retries=_ -p,-proxy=_ -v,-verbose -debug -version -up,-update -ut,-update-templates -stats -et,-exclude-templates=r -cup,-cloud-upload", Style: LongDash, Do: doIntrusion},
	{Names: "wpscan", Opts: "--url=u -v,--verbose --banner --no-banner -o,--output=w -f,--format=_ --detection-mode=_ --user-agent,--ua=_ --random-user-agent,--rua --http-auth=_ -t,--max-threads=_ --throttle=_ --request-timeout=_ --connect-timeout=_ --disable-tls-checks --proxy=_ --proxy-auth=_ --cookie-string=_ --cookie-jar=w --force --update --no-update --api-token=_ --wp-content-dir=_ --wp-plugins-dir=_ -e,--enumerate?=_ --plugins-list=_ --plugins-detection=_ -P,--passwords=r -U,--usernames=_ --stealthy --password-attack=_ --multicall-max-passwords=_", Style: LongDash, Do: doIntrusion},
	{Names: "msfconsole", Opts: "-E,--environment=_ -M,--migration-path=t -n,--no-database -y,--yaml=r -c=r -v,-V --defer-module-loads -m,--module-path=t -a,--ask -H,--history-file=w -l,--logger=_ -L,--real-readline -o,--output=w -p,--plugin=_ -q,--quiet -r,--resource=r -x,--execute-command=_", Style: LongDash, Do: doIntrusion},
	{Names: "msfvenom", Opts: "-l,--list=_ -p,--payload=_ --list-options -f,--format=_ -e,--encoder=_ --service-name=_ --sec-name=_ --smallest --encrypt=_ --encrypt-key=_ --encrypt-iv=_ -a,--arch=_ --platform=_ -o,--out=w -b,--bad-chars=_ -n,--nopsled=_ --pad-nops -s,--space=_ --encoder-space=_ -i,--iterations=_ -c,--add-code=r -x,--template=r -k,--keep -v,--var-name=_ -t,--timeout=_", Style: LongDash, Do: doIntrusion},
	{Names: "responder", Opts: "-I,--interface=_ -i,--ip=_ -6,--externalip6=_ -e,--externalip=_ -b,--basic -d,--DHCP -D,--DHCP-DNS -w,--wpad -u,--upstream-proxy=_ -F,--ForceWpadAuth -P,--ProxyAuth -Q,--quiet --lm --disable-ess -v,--verbose -t,--ttl=_ -A,--analyze", Style: LongDash, Do: doIntrusion},
	{Names: "bettercap", Opts: "-iface=_ -gateway-override=_ -autostart=_ -caplet=r -debug -eval=_ -silent -no-colors -no-history -script=x -version -cpu-profile=w -mem-profile=w -env-file=w -caplets-path=t -pcap-buf-size=_", Style: LongDash, Lang: "js", Do: doIntrusion},
	{Names: "ettercap", Opts: "-M,--mitm=_ -o,--only-mitm -b,--broadcast -B,--bridge=_ -p,--nopromisc -S,--nosslmitm -u,--unoffensive -r,--read=r -w,--write=w -f,--pcapfilter=_ -R,--reversed -t,--proto=_ -T,--text -q,--quiet -s,--script=_ -C,--curses -D,--daemon -G,--gtk -d,--dns -V,--visual=_ -e,--regex=_ -E,--ext-headers -Q,--superquiet -i,--iface=_ -I,--liface -Y,--secondary=_ -n,--netmask=_ -A,--address=_ -P,--plugin=_ -F,--filter=r -z,--silent -j,--load-hosts=r -k,--save-hosts=w -L,--log=w -l,--log-info=w -m,--log-msg=w -c,--compress -a,--config=r", Style: LongDash, Do: doIntrusion},
	{Names: "arpspoof", Opts: "-i=_ -c=_ -t=h -r", Style: LongDash, Do: doIntrusion},
	{Names: "feroxbuster", Opts: "-u,--url=u --stdin --resume-from=r --burp --smart --thorough -A,--random-agent -a,--user-agent=_ -x,--extensions=_ -m,--methods=_ --data=_ -H,--headers=_ -b,--cookies=_ -Q,--query=_ -f,--add-slash --dont-scan=_ -S,--filter-size=_ -X,--filter-regex=_ -W,--filter-words=_ -N,--filter-lines=_ -C,--filter-status=_ -s,--status-codes=_ -T,--timeout=_ -r,--redirects -k,--insecure -t,--threads=_ -n,--no-recursion -d,--depth=_ --force-recursion -e,--extract-links -L,--scan-limit=_ --parallel=_ --rate-limit=_ --time-limit=_ -w,--wordlist=r --auto-tune --auto-bail -D,--dont-filter -v,--verbosity --silent -q,--quiet --json -o,--output=w --debug-log=w --no-state -p,--proxy=_ -U,--update", Style: LongDash, Do: doIntrusion},
	{Names: "whatweb", Opts: "-i,--input-file=r --url-prefix=_ --url-suffix=_ --url-pattern=_ -a,--aggression=_ -U,--user-agent=_ -H,--header=_ --follow-redirect=_ --max-redirects=_ -u,--user=_ -c,--cookie=_ --cookie-jar=r --no-cookies --proxy=_ --proxy-user=_ -l,--list-plugins -I,--info-plugins?=_ -p,--plugins=_ -g,--grep=_ --custom-plugin=e --dorks=_ -v,--verbose --colour,--color=_ -q,--quiet --no-errors --log-brief=w --log-verbose=w --log-errors=w --log-xml=w --log-json=w --log-sql=w -t,--max-threads=_ --open-timeout=_ --read-timeout=_ --wait=_", Style: LongDash, Lang: "ruby", Do: doIntrusion},
	{Names: "amass", Opts: "-d=_ -df=r -active -passive -brute -w=r -o=w -oA=w -json=w -dir=t -config=r -src -ip -ipv4 -ipv6 -asn=_ -cidr=_ -org=_ -whois -max-dns-queries=_ -r=_ -rf=r -v -silent -timeout=_ -nf=r -p=_ -if=r -ef=r -list", Style: LongDash | HelpWord, Do: doIntrusion},
	{Names: "subfinder", Opts: "-d,-domain=_ -dL,-list=r -s,-sources=_ -recursive -all -es,-exclude-sources=_ -m,-match=_ -f,-filter=_ -rl,-rate-limit=_ -t=_ -o,-output=w -oJ,-json -oD,-output-dir=t -cs,-collect-sources -oI,-ip -config=r -pc,-provider-config=r -r=_ -rL,-rlist=r -nW,-active -proxy=_ -ei,-exclude-ip -silent -version -v -nc,-no-color -ls,-list-sources -timeout=_ -max-time=_ -up,-update", Style: LongDash, Do: doIntrusion},
	{Names: "dnsrecon", Opts: "-d,--domain=_ -n,--name_server=_ -r,--range=_ -D,--dictionary=r -f -a -s -b -y -k -w -z --threads=_ --lifetime=_ --tcp --db=w -x,--xml=w -c,--csv=w -j,--json=w --iw --disable_check_recursion --disable_check_bindversion -V -v,--verbose -t,--type=_", Style: LongDash, Do: doIntrusion},
	{Names: "fierce", Opts: "--domain=_ --connect --wide --traverse=_ --search=_ --range=_ --delay=_ --subdomains=_ --subdomain-file=r --dns-servers=_ --dns-file=r --tcp", Style: LongDash, Do: doIntrusion},
	{Names: "enum4linux", Opts: "-U -M -S -P -G -d -u=_ -p=_ -a -r -R=_ -K=_ -l -s=r -k=_ -o -i -w=_ -n -v -A", Style: LongDash, Do: doIntrusion},
	{Names: "commix", Opts: "-u,--url=u -l=r -m=r -r=r -x=_ --crawl=_ --data=_ --host=_ --referer=_ --user-agent=_ --random-agent --cookie=_ -H,--header=_ --headers=_ --proxy=_ --tor --auth-url=u --auth-data=_ --auth-type=_ --auth-cred=_ --force-ssl --all --current-user --hostname --is-root --sys-info --users --passwords --file-read=_ --file-write=r --file-upload=r --file-dest=_ --os-cmd=_ --os=_ --batch -v=_ --level=_ --technique=_ -p=_ --update --purge --output-dir=t", Style: LongDash, Do: doIntrusion},
	{Names: "xsser", Opts: "-u,--url=u -i=r -d=_ -l -p=_ -g=_ -c=_ --all=u --auto --cookie=_ --user-agent=_ --referer=_ --headers=_ --auth-type=_ --auth-cred=_ --proxy=_ --timeout=_ --retries=_ --threads=_ --delay=_ --payload=_ --save --xml=w -s -v -w", Style: LongDash, Do: doIntrusion},
	{Names: "beef", Opts: "-x,--reset -v,--verbose -a,--ascii_art -c,--config=r -p,--port=_ -w,--wsport=_ -ud,--update_disabled -ua,--update_auto", Style: LongDash, Do: doIntrusion},
	{Names: "zaproxy", Opts: "-daemon -port=_ -host=_ -config=_ -configfile=r -dir=t -installdir=t -cmd -quickurl=u -quickout=w -quickprogress -addoninstall=_ -addonuninstall=_ -addonupdate -newsession=w -session=o -silent -version -autorun=r -script=r -notel -lowmem -experimentaldb -nostdout", Style: LongDash, Do: doIntrusion},
	{Names: "aircrack-ng", Opts: "-a=_ -e=_ -b=_ -p=_ -q -C=_ -l=w -w=r -N,--new-session=w -R,--restore-session=r -c -t -d=_ -m=_ -n=_ -i=_ -f=_ -k=_ -x -x0 -x1 -x2 -X -y -K -s -M=_ -D -P=_ -1 -V -S -Z=_ -r=r -E=w -j=w -J=w -I=_ -u", Style: LongDash, Do: doIntrusion},
	{Names: "airodump-ng", Opts: "-i,--ivs -g,--gpsd -w,--write=w -e,--beacons -u,--update=_ --showack -h -f=_ --berlin=_ -r=r -T -x=_ --manufacturer --uptime --wps --output-format=_ --ignore-negative-one --write-interval=_ --background=_ -n=_ -t,--encrypt=_ -m,--netmask=_ -d,--bssid=_ -N,--essid=_ -R,--essid-regex=_ -a --channel,-c=_ --band,-b=_ -C=_ -s,--cswitch=_", Style: LongDash, Do: doIntrusion},
	{Names: "aireplay-ng", Opts: "-b=_ -d=_ -s=_ -m=_ -n=_ -u=_ -v=_ -t=_ -f=_ -w=_ -D -x=_ -p=_ -a=_ -c=_ -h=_ -g=_ -F -e=_ -o=_ -q=_ -Q -y=r -j -k=_ -l=_ -B -i=_ -r=r -R --deauth,-0=_ --fakeauth,-1=_ --interactive,-2 --arpreplay,-3 --chopchop,-4 --fragment,-5 --caffe-latte,-6 --cfrag,-7 --migmode,-8 --test,-9 --ignore-negative-one", Style: LongDash, Do: doIntrusion},
	{Names: "john", Opts: "--single?=_ --wordlist?=r --stdin --pipe --rules?=_ --incremental?=_ --mask?=_ --markov?=_ --external=_ --stdout?=_ --restore?=_ --session=_ --status?=_ --make-charset=w --show?=_ --test?=_ --users=_ --groups=_ --shells=_ --salts=_ --save-memory=_ --node=_ --fork=_ --pot=w --list=_ --format=_ --config=r --loopback?=r --encoding=_ --max-length=_ --min-length=_ --max-run-time=_", Args: "r*", Style: LongDash, Do: doIntrusion},
	{Names: "hashcat", Opts: "-m,--hash-type=_ -a,--attack-mode=_ -V --hex-charset --hex-salt --hex-wordlist --force --status --status-timer=_ -t,--markov-threshold=_ --runtime=_ --session=_ --restore --restore-file-path=r -o,--outfile=w --outfile-format=_ -p,--separator=_ --stdout --show --left --username --remove --potfile-disable --potfile-path=w --debug-mode=_ --debug-file=w -b,--benchmark --benchmark-all --speed-only -c,--segment-size=_ --bitmap-min=_ --bitmap-max=_ --cpu-affinity=_ -I,--backend-info -d,--backend-devices=_ -D,--opencl-device-types=_ -O,--optimized-kernel-enable -w,--workload-profile=_ -n,--kernel-accel=_ -u,--kernel-loops=_ -T,--kernel-threads=_ -s,--skip=_ -l,--limit=_ --keyspace -j,--rule-left=_ -k,--rule-right=_ -r,--rules-file=r -g,--generate-rules=_ -1,--custom-charset1=_ -2,--custom-charset2=_ -3,--custom-charset3=_ -4,--custom-charset4=_ -i,--increment --increment-min=_ --increment-max=_ -S,--slow-candidates --quiet --example-hashes --self-test-disable", Args: "r*", Style: LongDash, Do: doIntrusion},
	{Names: "tcpdump", Opts: "-z,--postrotate-command=_ -w=w -W=_ -G=_ -C=_ -c=_ -i,--interface=_ -r=r -F=_ -s,--snapshot-length=_ -B=_ -E=_ -j=_ -m=_ -M=_ -T=_ -y=_ -Z=_ -V=_ -Y=_ -f -e -X -o=_ -a=_ -b -A -d -D -h -H -I -J -K -l -L -n -N -O -p -P=_ -q -R -S -t -u -U -v -vv -vvv -x -xx -XX -# --print --immediate-mode --count --number --list-interfaces", Do: doCapture},
	{Names: "tshark", Opts: "-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -c=_ -a=_ -b=_ -r=r -2 -M=_ -R=_ -Y=_ -n -N=_ -d=_ -H=r -w=w -C=_ -F=_ -V -O=_ -P -S=_ -x -T=_ -j=_ -J=_ -e=_ -E=_ -t=_ -u=_ -l -q -Q -g -W=_ -X=_ -U=_ -z=_ --export-objects=t --color --no-duplicate-keys --elastic-mapping-filter=_ --temp-dir=t --capture-comment=_ -o=_ -K=r -G?=_ -v --disable-protocol=_ --enable-protocol=_ --log-file=w", Do: doCapture},
	{Names: "dumpcap", Opts: "-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -d -k=_ -S -c=_ -a=_ -b=_ -n -P -w=w --ifname=_ --ifdescr=_ --capture-comment=_ --temp-dir=t -g -q -M -N=_ -C=_ -t -Z=_ -v", Do: doCapture},
	{Names: "wireshark", Opts: "-i=_ -f=_ -s=_ -p -I -B=_ -y=_ -D -L -c=_ -a=_ -b=_ -r=r -R=_ -Y=_ -n -N=_ -C=_ -d=_ -g=_ -J=_ -j -k -S -l -t=_ -u=_ -X=_ -z=_ -w=w -o=_ -P=_ -K=r -H --fullscreen --capture-comment=_ --display=_ -v", Args: "r*", Do: doCapture},
	{Names: "ngrep", Opts: "-d=_ -I=r -O=w -r=r -w -o=w -h -V -q -i -x -v -e -l -D -t -T -p -M -c=_ -n=_ -N -A=_ -s=_ -S=_ -W=_ -P=_ -F=r -K=_ -R -u -L -X -C", Args: "_*"},
	{Names: "tcpflow", Opts: "-a -A -b=_ -B -c -C -d=_ -D -e=_ -E=_ -f=_ -F=_ -g -h -H -i=_ -I -J -k -K -l -L=_ -m=_ -o=t -p -P -q -r=r -R=r -s -S=_ -T=_ -U=_ -v -V -w=w -x=_ -X=w -y -Z -0", Args: "_*"},
}

var provisionModels = []Model{
	{Names: "terraform tf tofu opentofu terragrunt tg terramate atmos", Opts: "-chdir=_ --terragrunt-config-path=_ --terragrunt-source=_ --terragrunt-log-level=_ --terragrunt-iam-role=_ -var=_ -var-file=_ -target=_ -state=_ -out=_ -backup=_ -lock-timeout=_ -parallelism=_ -replace=_ -backend-config=_ -plugin-dir=_ -dry-run+inert --terragrunt-working-dir,--working-dir=_ --terragrunt-config=_ --queue-include-dir=_ --log-level=_", Style: LongDash | Verb, Do: doTerraform},
	{Names: "pulumi pulumi-cli", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only,--preview-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --stack=_", Do: doStack},
	{Names: "cdk cdktf sam serverless sls sst chalice zappa aws-sam-cli samlocal cdklocal copilot-cli up-cli architect winglang wing stacks tflocal infracost", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Do: doStack},
	{Names: "ansible", Opts: "-m,--module-name=_ -a,--args=_ -i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -f,--forks=_ --private-key,--key-file=_ --vault-password-file=_ -C,--check+inert --list-hosts+inert -M=_ -t,--tree=_ -c,--connection=_ -b,--become -K --become-user=_ -P=_ -B=_", Do: doAnsible},
	{Names: "ansible-playbook ansible-pull ansible-console", Opts: "-i,--inventory=_ -u,--user=_ -l,--limit=_ -e,--extra-vars=_ -t,--tags=_ --skip-tags=_ --private-key=_ --vault-password-file=_ -C,--check+inert --syntax-check+inert --list-hosts+inert --list-tasks+inert --list-tags+inert -f,--forks=_ -U,--url=u -c=_", Args: "r*", Do: doPlaybook},
	{Names: "ansible-galaxy", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "ansible-inventory", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "ansible-lint", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "ansible-doc", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "ansible-config", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "molecule", Sub: []Model{
		{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w -s,--server=_", Args: "p*"},
		{Names: "collection", Sub: []Model{
			{Names: "install", Opts: "-r,--requirements-file=r -p,--collections-path=w -s,--server=_", Args: "p*"},
			{Names: "publish", Args: "r*", Effects: 8},
		}},
		{Names: "role", Sub: []Model{
			{Names: "install", Opts: "-r,--role-file=r -p,--roles-path=w", Args: "p*"},
			{Names: "remove", Args: "_*", Effects: 2},
		}},
	}},
	{Names: "salt salt-ssh salt-call salt-run salt-key", Opts: "-C,-E,-L,-G,-N,-S,-I -t,--timeout=_ -c,--config-dir=_ --out=_ -l=_ -d,--delete=_ -D,--delete-all -b,--batch=_", Do: doSalt},
	{Names: "puppet chef-client chef-solo chef knife cinc-client cf-agent bolt", Opts: "-e,--execute=_ --noop,-W,--why-run+inert -n=_ -t,--targets=_ -i=_ -x=_ -P=_", Do: doAgentTool},
	{Names: "packer", Opts: "-var=_ -var-file=_ -only=_ -except=_ -on-error=_", Style: LongDash, Sub: []Model{
		{Names: "build", Opts: "-force+destroys -var=_ -var-file=_ -only=_ -except=_ -on-error=_", Style: LongDash},
	}, Do: doNothing},
	{Names: "vagrant", Opts: "-c,--command=_ --provider=_ --provision-with=_", Do: doVagrant},
	{Names: "fastlane", Do: doRelease},
	{Names: "cap capistrano mina kamal mrsk deployer dep fab fabric shipit pm2-deploy deploy-rs nixos-rebuild morph colmena", Opts: "-n,--dry-run+inert -d,--destination=_ -H,--hosts=_ -c=_ -f=_ -s=_", Do: doDeploy},
}

var publishModels = []Model{
	{Names: "jsr", Sub: []Model{
		{Names: "publish", Opts: "--dry-run+inert --token=_ --allow-dirty", Effects: 8},
		{Names: "add i install", Args: "p*", Effects: 128},
	}},
	{Names: "vsce ovsx", Sub: []Model{
		{Names: "publish", Opts: "-p,--pat=_ -i,--packagePath=r --dry-run+inert", Effects: 8},
		{Names: "unpublish", Opts: "-p,--pat=_ -f,--force", Effects: 2},
		{Names: "package ls show search verify-pat"},
	}},
	{Names: "buf", Sub: []Model{
		{Names: "push", Effects: 8},
		{Names: "build lint breaking format ls-files stats"},
	}},
	{Names: "conan", Sub: []Model{
		{Names: "upload", Opts: "-r,--remote=_ -c,--confirm --dry-run+inert", Effects: 8},
		{Names: "remove", Opts: "-r,--remote=_+destroys-data -c,--confirm --dry-run+inert"},
		{Names: "remote", Sub: []Model{
			{Names: "add update set-user login", Effects: 1},
			{Names: "list"},
		}},
	}},
	{Names: "semantic-release", Opts: "-d,--dry-run+inert -b,--branches=_ -r,--repository-url=_ -e,--extends=_", Effects: 8},
	{Names: "changeset", Sub: []Model{
		{Names: "publish", Effects: 8},
		{Names: "version status add init tag pre"},
	}},
	{Names: "dart flutter", Sub: []Model{
		{Names: "pub", Sub: []Model{
			{Names: "publish lish", Opts: "-n,--dry-run+inert -f,--force", Effects: 8},
			{Names: "uploader", Effects: 1},
			{Names: "add upgrade downgrade", Opts: "-n,--dry-run+inert", Effects: 128},
			{Names: "global", Sub: []Model{
				{Names: "activate", Effects: 128},
				{Names: "list run deactivate"},
			}},
			{Names: "get deps outdated cache"},
		}},
	}},
}

var pythonPackagesModels = []Model{
	{Names: "pip pipenv pdm", Opts: "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev", Style: Verb, Do: doPip},
	{Names: "pipx", Opts: "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --spec=_ --python=_", Style: Strict, Do: doPipx},
	{Names: "uv", Opts: "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --offline -n,--no-cache --no-config --no-progress --native-tls --config-file=_ --color=_ --allow-insecure-host=_ --managed-python --no-managed-python --no-python-downloads --preview --with=_ --from=_ -p,--python=_ --directory=D --project=_ --default-index=_ --index=_ -m,--module=_", Style: Strict, Do: doUv},
	{Names: "uvx", Opts: "-r,--requirement=r -c,--constraint=r -e,--editable=_ -i,--index-url,--pypi-url=_ --extra-index-url=_ -f,--find-links=_ -t,--target=_ --prefix=_ --root=_ --trusted-host=_ --platform=_ --python-version=_ --config-settings=_ --global-option=_ --install-option=_ -d,--dest=_ -w,--wheel-dir=_ --proxy=_ --cert=_ --log=w --cache-dir=_ --path=_ --retries=_ --timeout=_ --exists-action=_ --cert=_ --client-cert=_ --use-feature=_ --use-deprecated=_ --keyring-provider=_ --python=_ --resume-retries=_ --no-binary=_ --only-binary=_ --implementation=_ --abi=_ --progress-bar=_ --upgrade-strategy=_ --src=_ --pre --no-deps --isolated --require-virtualenv -v,--verbose -q,--quiet --no-input --no-color --no-cache-dir --no-index --disable-pip-version-check --user --break-system-packages -y,--yes --dry-run+inert --report=_ -G,--group=_ --dev --offline -n,--no-cache --no-config --no-progress --native-tls --isolated --refresh --reinstall --upgrade --with=_ --from=_ -p,--python=_ --default-index=_ --index=_", Style: Strict, Do: doNpx},
	{Names: "poetry hatch rye pixi", Opts: "-q,--quiet -v,--verbose -vv -vvv -n,--no-interaction --ansi --no-ansi --no-plugins --no-cache --no-color -C,--directory=D -P,--project=_ --repository,-r=_ -u,--username=_ -p,--password=_ -G,--group=_ -E=_ -e,--env=_ --dry-run+inert", Style: Strict, Do: doPoetry},
	{Names: "conda mamba micromamba", Opts: "-n,--name=_ -p,--prefix=_ -c,--channel=_ -f,--file=r -d,--dry-run+inert -y,--yes --cwd=D --no-capture-output --live-stream", Style: Strict, Do: doConda},
	{Names: "twine flit", Opts: "-r,--repository=_ --repository-url=u -u=_ -p=_", Do: doUpload},
	{Names: "easy_install", Do: doInstallOnly},
}

var remoteModels = []Model{
	{Names: "nc netcat nc.traditional nc.openbsd pnetcat cryptcat sbd", Opts: "-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -q=_ -x,--proxy,-X=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -O=_ -T=_ -I=_ -V=_ -m,--max-conns=_ -d --delay=_ -g=_ -G=_ -P=_ -M=_ --ssl-cert=_ --ssl-key=_ --allow=_ --deny=_ -h,--help+inert --version+inert -l,--listen -u,--udp -v,--verbose -n,--nodns -z -k,--keep-open -4 -6 -t,--telnet -N -U -D -S -C -b -r -F -h+inert -a -R", Do: doNetcat},
	{Names: "ncat", Opts: "-e,--exec=_ -c,--sh-exec=_ --lua-exec=_ -p,--source-port=_ -s,--source=_ -w,--wait=_ -i,--idle-timeout=_ -x,--hex-dump=w --proxy=_ --proxy-type=_ --proxy-auth=_ -o,--output=w -m,--max-conns=_ -d,--delay=_ -G=_ --ssl-cert,--ssl-key=r --allow,--deny=_ -h,--help+inert --version+inert -l,--listen -u,--udp -v,--verbose -n,--nodns -k,--keep-open -t,--telnet -h+inert --proxy-dns=_ --allowfile,--denyfile=r --ssl", Do: doNetcat},
	{Names: "socat socat2 socat1", Opts: "-b=_ -t=_ -T=_ -l=_ -L=_ -W=_ -r=w -R=w -lf=_ -lp=_ -x -v -d -D -u -U -s -g -4 -6 -ly -lm -ls -lu -lh -V+inert -h+inert", Style: Strict | LongDash, Do: doSocat},
	{Names: "telnet", Opts: "-l=_ -n=w -e=_ -b=_ -X=_ -4 -6 -8 -E -K -L -N -a -c -d -f -F -k -r -x -y -S=_", Do: doTelnet},
	{Names: "rlogin rsh remsh rexec", Opts: "-l=_ -p=_", Style: Strict, Do: doRsh},
	{Names: "pdsh clush pssh parallel-ssh dsh mussh", Opts: "-w,--worker,-h,--hosts=_ -H,--host=_ -l,--user=_ -g=_ -t=_ -x=_ -b -f=_ -p=_ -o=_ -e=_ -R=_ -A -i -a -F=r -u=_", Style: Strict, Do: doPdsh},
	{Names: "ftp tnftp lukemftp", Opts: "-o=_ -P=_ -N=_ -u=_ -s=_ -r=_ -4 -6 -A -a -d -e -f -g -i -n -p -t -V -v -q=_ -T=_", Do: doFtp},
	{Names: "lftp", Opts: "-e=_ -c=_ -f=_ -u=_ -p=_ -d -h+inert --rcfile=x", Do: doLftp},
	{Names: "ncftpput", Opts: "-u=_ -p=_ -P=_ -f=_ -R -A -a -F -z -Z -DD -E -V -v -b -m -T=_ -t=_ -S=_ -W=_ -d=w -r=_ -C", Do: doNcftp},
	{Names: "ncftpget", Opts: "-u=_ -p=_ -P=_ -f=r -R -A -a -F -z -Z -DD -E -V -v -b -T -t=_ -W=_ -d=w -r=_ -C", Do: doNcftp},
	{Names: "tftp atftp", Opts: "-c=_ -m=_ -l=_ -r=_ -p,--put -g,--get --local-file=_ --remote-file=_ -4 -6 -v", Do: doTftp},
	{Names: "smbclient rpcclient smbmap", Opts: "-c,--command=_ -U,--user=_ -W=_ -p=_ -I=_ -A,--authentication-file=r -L=h -D=_ -t=_ -m=_ -n=_ -T=_ -H=_ -u=_ -d=_ -N,--no-pass -k,--kerberos -g,--grepable -E,--stderr -P,--machine-pass -e,--encrypt -q,--quiet -B,--browse --option=_ -s,--configfile=r -l,--log-basename=_ -O,--socket-options=_ -R,--name-resolve=_ -M,--message=h -b,--send-buffer=_", Do: doSmb},
	{Names: "smbget", Opts: "-U,--user=_ -L=h -D,--dots -n,--nonprompt -u,--update -d=_ -e,--encrypt -q,--quiet -s,--configfile=r -O,--stdout -R,--recursive -M,--message=h -b=_ --debuglevel=_ -w,--workgroup=_", Do: doSmb},
	{Names: "evil-winrm psexec.py wmiexec.py smbexec.py atexec.py impacket-psexec impacket-wmiexec crackmapexec nxc netexec xfreerdp rdesktop winexe", Args: "h", Do: doIntrusion},
}

var saasModels = []Model{
	{Names: "stripe square paypal braintree adyen plaid chargebee recurly lemonsqueezy razorpay mollie", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json --api-key=_ -d,--data=_ --live", Do: doMoney},
	{Names: "twilio sendgrid mailgun vonage nexmo messagebird postmark resend courier plivo signalwire", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Do: doMessage},
	{Names: "vault openbao bao", Opts: "-namespace,-ns=_ -address=_ -token=_ -format=_ -field=_ -mount=_ -path=_ -method=_ -ca-cert=_ -versions=_ -header=_ -policy=_ -ttl=_ -output-curl-string,-output-policy+inert", Style: LongDash, Do: doVault},
	{Names: "conjur bws tsh-secrets keyhub akeyless thycotic", Opts: "--dry-run,--dryrun,--dry_run,--what-if,--whatif,--generate-cli-skeleton,--cli-input-skeleton,--validate-only,--check-only+inert --profile=_ --region=_ --output,-o=_ --project,--project-id=_ --subscription=_ --context=_ --format=_ --resource-group,-g=_ --account=_ --org,--organization,-O=_ --app,-a=_ --namespace=_ --token,-t=_ --site,--site-id,-s=_ --config,-c=_ --query=_ --endpoint-url,--endpoint=_ --location=_ --scope=_ --team=_ --environment,--env,-e=_ --name,-n=_ --cwd,-C=_ --local-config,-A=_ --configuration=_ --impersonate-service-account=_ --account-name=_ --workspace=_ --cluster=_ --zone=_ --url=_ --server=_ --force,-f --yes,-y,--assume-yes,--auto-approve,--confirm,--quiet,-q --debug --verbose,-v --no-cli-pager --json", Do: doCloud},
}

var sandboxModels = []Model{
	{Names: "chroot", Opts: "--userspec=_ --groups=_ -u=_ -g=_ -G=_ --skip-chdir -n", Style: Strict, Do: doChroot},
	{Names: "proot", Opts: "-r,--rootfs,-R,-S=_ -b,--bind,-m=_ -w,--pwd,--cwd=_ -q,--qemu=_ -k=_ -i=_ -v=_ -0,--root-id -h -l --link2symlink --kill-on-exit -V -L -p -n", Style: Strict, Do: doProot},
	{Names: "systemd-nspawn", Opts: "-D,--directory=_ -M,--machine=_ -u,--user=_ -i,--image=_ --bind=_ --bind-ro=_ -E,--setenv=_ --chdir=_ --template=_ -x,--ephemeral -b,--boot -a,--as-pid2 -q,--quiet --read-only --volatile?=_ --root-hash=_ --pivot-root=_ --hostname=_ --uuid=_ -S,--slice=_ --property=_ --register=_ --keep-unit -U --private-users?=_ --private-network --network-interface=_ --network-macvlan=_ --network-ipvlan=_ -n,--network-veth --network-veth-extra=_ --network-bridge=_ --network-zone=_ --network-namespace-path=_ -p,--port=_ --capability=_ --drop-capability=_ --no-new-privileges=_ --system-call-filter=_ -Z,--selinux-context=_ -L,--selinux-apparmor-context=_ --rlimit=_ --oom-score-adjust=_ --cpu-affinity=_ --personality=_ --resolv-conf=_ --timezone=_ --link-journal=_ -j --tmpfs=_ --overlay=_ --overlay-ro=_ --inaccessible=_ --console=_ -P,--pipe --settings=_ --kill-signal=_ --notify-ready=_ --no-pager", Style: Strict, Do: doProot},
	{Names: "unshare", Opts: "-m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -U,--user?=_ -C,--cgroup?=_ -T,--time?=_ --map-user=_ --map-group=_ --map-users=_ --map-groups=_ --kill-child?=_ --mount-proc?=_ --mount-binfmt?=_ -R,--root=_ -w,--wd=_ -S,--setuid=_ -G,--setgid=_ --propagation=_ --setgroups=_ --monotonic=_ --boottime=_ -f,--fork -r,--map-root-user -c,--map-current-user --map-auto --keep-caps --forward-signals -l,--load-interp=_", Style: Strict, Do: doUnshare},
	{Names: "nsenter", Opts: "-t,--target=_ -m,--mount?=_ -u,--uts?=_ -i,--ipc?=_ -n,--net?=_ -p,--pid?=_ -C,--cgroup?=_ -U,--user?=_ -T,--time?=_ -S,--setuid=_ -G,--setgid=_ -r,--root?=_ -w,--wd?=_ -W,--wdns=_ -a,--all -F,--no-fork -Z,--follow-context --preserve-credentials --keep-caps --user-parent -e,--env -c,--join-cgroup -N,--net-socket=_ -V", Style: Strict, Do: doNsenter},
	{Names: "bwrap", Style: NoOptions, Do: doBwrap},
	{Names: "firejail", Args: "C", Style: Strict | NoInert},
	{Names: "sandbox-exec", Opts: "-f=_ -n=_ -p=_ -D=_", Args: "C", Style: Strict},
	{Names: "systemd-run", Opts: "-d,--same-dir -P,--pipe -t,--pty -q,--quiet -G,--collect -S,--shell -r,--remain-after-exit --scope --user --system --wait --no-block --no-ask-password --send-sighup --ignore-failure -T,--pty-late -H,--host=_ -M,--machine=_ -u,--unit=_ -p,--property=_ --description=_ --slice=_ --service-type=_ --uid=_ --gid=_ --nice=_ --working-directory=_ -E,--setenv=_ --path-property=_ --socket-property=_ --on-active=_ --on-boot=_ --on-startup=_ --on-unit-active=_ --on-unit-inactive=_ --on-calendar=_ --timer-property=_ --background=_", Style: Strict, Do: doSystemdRun},
	{Names: "start-stop-daemon", Opts: "-b,--background -m,--make-pidfile -v,--verbose -q,--quiet -o,--oknodo -C,--no-close -T,--status --remove-pidfile --notify-await -x,--exec=_ -a,--startas=_ -p,--pidfile=_ -n,--name=_ -u,--user=_ -c,--chuid=_ -d,--chdir=_ -s,--signal=_ -R,--retry=_ -N,--nicelevel=_ -P,--procsched=_ -I,--iosched=_ -k,--umask=_ -r,--chroot=_ -g,--group=_ -O,--output=_ --ppid=_ --pid=_ -S,--start -K,--stop -t,--test+inert", Style: Strict, Do: doStartStop},
	{Names: "daemonize", Opts: "-c=_ -e=_ -E=_ -o=_ -p=_ -l=_ -u=_ -a -v", Args: "C", Style: Strict | Strict},
	{Names: "wsl", Opts: "-d,--distribution=_ -u,--user=_ --cd=_ -e,--exec --shell-type=_ --unregister=_ -l,--list --status --shutdown --system -v,--verbose --all --running -q,--quiet -t,--terminate=_ -s,--set-default=_ --set-version=_ --export=_ --import=_ --install --update --mount=_ --unmount=_ --no-distribution --online", Style: Strict, Do: doWsl},
}

var searchModels = []Model{
	{Names: "grep ggrep egrep fgrep", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ --include=_ --exclude=_ --exclude-from=r --exclude-dir=_ --label=_ --binary-files=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q,--silent -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary -y --no-ignore-case -T,--initial-tab -Z,--null --line-buffered -u -V+inert", Do: doGrep},
	{Names: "zgrep bzgrep xzgrep zstdgrep zegrep zfgrep", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l --files-without-match,-L --count,-c --quiet,-q,--silent --binary-files=_ --label=_ --color,--colour?=_ -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary", Do: doGrep},
	{Names: "pcregrep pcre2grep", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ -N,--newline=_ --include=_ --exclude=_ --exclude-dir=_ --include-dir=_ --exclude-from=r --include-from=r --file-list=r --label=_ --match-limit=_ --depth-limit=_ --heap-limit=_ --recursion-limit=_ --locale=_ --buffer-size=_ --max-buffer-size=_ --om-separator=_ -O,--output=_ --binary-files=_ --color,--colour?=_ --colour?=_ -o -o,--only-matching?=_ --files-without-match,-L --count,-c -t,--total-count --quiet,-q -a,--text -F,--fixed-strings -H,--with-filename -h,--no-filename -I -i,--ignore-case -M,--multiline -n,--line-number -s,--no-messages -u,--utf -U,--utf-allow-invalid -v,--invert-match -w,--word-regex,--word-regexp -x,--line-regex,--line-regexp --line-buffered --line-offsets --file-offsets --no-jit --null,-Z", Do: doGrep},
	{Names: "ugrep ug", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive -d,--directories=_ -D,--devices=_ -g,--glob=_ --iglob=_ -t,--file-type=_ -O,--file-extension=_ -M,--file-magic=_ -N,--neg-regexp=_ -J,--jobs=_ -K,--range=_ --include=_ --exclude=_ --exclude-dir=_ --exclude-from=r --include-from=r --ignore-files?=_ --filter=P --pager?=P --view?=P --format=_ --replace=_ --separator?=_ --tabs?=_ --sort?=_ --color,--colour?=_ --files-without-match,-L --count,-c --quiet,-q -i,--ignore-case -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -H,--with-filename -h,--no-filename -o,--only-matching -s,--no-messages -a,--text -b,--byte-offset -I -z,--null-data -U,--binary -E,--extended-regexp -F,--fixed-strings -G,--basic-regexp -P,--perl-regexp -S,--smart-case -j -%,--bool -Z,--fuzzy?=_ -Q,--query?=_ -.,--hidden -k,--column-number -T,--initial-tab -u,--ungroup -W,--with-hex -X,--hex -y,--any-line -p,--no-dereference --pretty?=_ -l", Do: doGrep},
	{Names: "rg ripgrep", Opts: "-e,--regexp=_ -f,--file=r -m,--max-count=_ -A,--after-context=_ -B,--before-context=_ -C,--context=_ --files-with-matches,-l -r,-R,--recursive --pre=P --pre-glob=_ --hostname-bin=P -E,--encoding=_ --engine=_ -g,--glob=_ --iglob=_ --ignore-file=r -d,--max-depth,--maxdepth=_ --max-filesize=_ -M,--max-columns=_ -r,--replace=_ --sort=_ --sortr=_ -t,--type=_ -T,--type-not=_ --type-add=_ --type-clear=_ -j,--threads=_ --color=_ --colors=_ --context-separator=_ --field-context-separator=_ --field-match-separator=_ --dfa-size-limit=_ --regex-size-limit=_ --path-separator=_ --hyperlink-format=_ --generate=_ -L,--follow --files-without-match --count,-c --count-matches --quiet,-q --files -i,--ignore-case -S,--smart-case -s,--case-sensitive -v,--invert-match -w,--word-regexp -x,--line-regexp -n,--line-number -N,--no-line-number -H,--with-filename -I,--no-filename -o,--only-matching -a,--text -F,--fixed-strings -P,--pcre2 -U,--multiline --multiline-dotall -u,--unrestricted -uu -uuu -.,--hidden --no-ignore --no-ignore-vcs --no-messages --no-config --heading --no-heading --json --vimgrep --column -b,--byte-offset --passthru,--passthrough -p,--pretty -z,--search-zip --stats --trim --crlf --null,-0 --null-data --one-file-system --line-buffered --debug --max-columns-preview --type-list --include-zero", Do: doGrep},
	{Names: "ag", Opts: "-A,--after?=_ -B,--before?=_ -C,--context?=_ --depth=_ -G,--file-search-regex=_ --ignore=_ --ignore-dir=_ -m,--max-count=_ -p,--path-to-ignore=r --pager=P -W,--width=_ --workers=_ --color-line-number=_ --color-match=_ --color-path=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c -g,--filename-pattern=_ --files -a,--all-types --ackmate -D,--debug -f,--follow -F,--fixed-strings -H,--heading,--noheading --hidden -i,--ignore-case -n,--norecurse -o,--only-matching -Q,--literal -R,-r,--recurse -s,--case-sensitive -S,--smart-case --search-binary --silent --stats --nocolor --color --column --group --nogroup --numbers --nonumbers --noaffinity --nomultiline --vimgrep -t,--all-text -u,--unrestricted -U,--skip-vcs-ignores -v,--invert-match -w,--word-regexp -z,--search-zip -0,--null", Do: doGrep},
	{Names: "ack", Opts: "-A,--after-context=_ -B,--before-context=_ -C,--context?=_ --match=_ -m,--max-count=_ --ignore-dir=_ --noignore-dir=_ --ignore-file=_ --type=_ -t=_ -T=_ --type-add=_ --type-set=_ --type-del=_ --output=_ --pager?=P --ackrc=_ --files-from=r --color-match=_ --color-filename=_ --color-lineno=_ --files-with-matches,-l --files-without-match,--files-without-matches,-L --count,-c --files,-f,-g -i,--ignore-case -I,--no-ignore-case -S,--smart-case -v,--invert-match -w,--word-regexp -Q,--literal -o -x --range-start=_ --range-end=_ -r,-R,--recurse -n,--no-recurse -h,--no-filename -H,--with-filename --nocolor --color --group --nogroup --heading --noheading --break --nobreak --column --passthru --print0 -s -k,--known-types --follow --nofollow --sort-files --show-types --noenv --flush -1 --proximate?=_ --bar", Do: doGrep},
	{Names: "diff gdiff", Opts: "--diff-program=P --from-file=r --to-file=r -I,--ignore-matching-lines=_ -x,--exclude=_ -X,--exclude-from=r -U,-C=_ --unified,--context?=_ -S,--starting-file=_ -W,--width=_ -D,--ifdef=_ -F,--show-function-line=_ -L,--label=_ --horizon-lines=_ --tabsize=_ --palette=_ --color?=_ --difftype=_ --old-line-format=_ --new-line-format=_ --unchanged-line-format=_ --line-format=_ --old-group-format=_ --new-group-format=_ --unchanged-group-format=_ --changed-group-format=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -c -d,--minimal -e,--ed -E,--ignore-tab-expansion -H,--speed-large-files -i,--ignore-case --ignore-file-name-case -l,--paginate -n,--rcs -N,--new-file -p,--show-c-function -P,--unidirectional-new-file -q,--brief -r,--recursive -s,--report-identical-files -t,--expand-tabs -T,--initial-tab -u -v+inert -w,--ignore-all-space -y,--side-by-side -Z,--ignore-trailing-space --left-column --suppress-common-lines --strip-trailing-cr --no-dereference --normal", Do: doDiff},
	{Names: "colordiff", Opts: "--difftype=_ --color=_ --fakeexitcode -x,--exclude=_ -X,--exclude-from=r -U,-C=_ --unified,--context?=_ -L,--label=_ -I,--ignore-matching-lines=_ -W,--width=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -c -i,--ignore-case -N,--new-file -p,--show-c-function -q,--brief -r,--recursive -s -u -w,--ignore-all-space -y,--side-by-side", Args: "r*"},
	{Names: "sdiff", Opts: "-o,--output=w -I,--ignore-matching-lines=_ -w,--width=_ --diff-program=P --tabsize=_ -a,--text -b,--ignore-space-change -B,--ignore-blank-lines -d,--minimal -E,--ignore-tab-expansion -H,--speed-large-files -i,--ignore-case -l,--left-column -s,--suppress-common-lines -t,--expand-tabs -W,--ignore-all-space -Z,--ignore-trailing-space --strip-trailing-cr", Args: "r*"},
	{Names: "diff3", Opts: "-L,--label=_ --diff-program=P -a,--text -A,--show-all -e,--ed -E,--show-overlap -i -m,--merge -T,--initial-tab -x,--overlap-only -X -3,--easy-only --strip-trailing-cr", Args: "r*"},
	{Names: "wdiff", Opts: "-w,--start-delete=_ -x,--end-delete=_ -y,--start-insert=_ -z,--end-insert=_ -1,--no-deleted -2,--no-inserted -3,--no-common -a,--auto-pager -d,--diff-input -h -i,--ignore-case -l,--less-mode -n,--avoid-wraps -p,--printer -s,--statistics -t,--terminal", Args: "r*"},
	{Names: "delta", Opts: "--features=_ --syntax-theme=_ --paging=_ --pager=P --config=r --width,-w=_ --tabs=_ --max-line-length=_ --diff-args,-@=_ --default-language=_ --true-color=_ --line-numbers-left-format=_ --line-numbers-right-format=_ --file-style=_ --hunk-header-style=_ --wrap-max-lines=_ --map-styles=_ --hyperlinks-file-link-format=_ -n,--line-numbers -s,--side-by-side --dark --light --navigate --hyperlinks --color-only --keep-plus-minus-markers --diff-highlight --diff-so-fancy --no-gitconfig --raw --relative-paths --show-config --list-languages --list-syntax-themes --show-syntax-themes --parse-ansi", Args: "r*"},
	{Names: "difft", Opts: "--context=_ --width=_ --tab-width=_ --display=_ --color=_ --background=_ --syntax-highlight=_ --language=_ --override=_ --override-binary=_ --byte-limit=_ --graph-limit=_ --parse-error-limit=_ --sort-paths=_ --strip-cr=_ --check-only --exit-code --ignore-comments --skip-unchanged --list-languages --missing-as-empty", Args: "r*"},
}

var secretModels = []Model{
	{Names: "printenv gprintenv", Do: doPrintenv},
	{Names: "gpg gpg2 gpg1", Opts: "-o,--output=_ -r,--recipient=_ -u,--local-user=_ --homedir=_ --passphrase=_ --passphrase-file=_ --passphrase-fd=_ --batch --yes --pinentry-mode=_ --keyserver=_ --recv-keys --default-key=_ --status-fd=_ --keyring=_ --trust-model=_ --cipher-algo=_ --options=_ -n,--dry-run+inert --agent-program,--dirmngr-program,--pinentry-program=P --exec-path=P --command-file=r --log-file,--logger-file=a --attribute-file,--status-file=w --recipient-file,--hidden-recipient-file=r --primary-keyring,--secret-keyring,--trustdb-name=w --command-fd,--key-origin,--set-filename,--set-policy-url,--sig-policy-url,--cert-policy-url,--sig-keyserver-url,--default-keyserver-url=_", Style: HelpH, Do: doGpg},
	{Names: "age rage", Opts: "-i,--identity=_ -o,--output=_ -r,--recipient=_ -R,--recipients-file=_ -d,--decrypt -p", Do: doDecrypter},
	{Names: "sops", Opts: "-d,--decrypt -e,--encrypt -i,--in-place --output=_ --extract=_ --set=_ --kms=_ --age=_ --pgp=_ --input-type=_ --output-type=_", Do: doSops},
	{Names: "ansible-vault", Opts: "--vault-password-file=_ --vault-id=_ --output=_ --encrypt-vault-id=_", Do: doAnsibleVault},
	{Names: "pass gopass prs passage", Do: doPass},
	{Names: "op", Opts: "--account=_ --vault=_ --format=_ --fields=_ --session=_ --env-file=_ --out-file,-o=w --config=_ --cache=_ -i,--in-file=_ --otp", Do: doOnePassword},
	{Names: "bw rbw lpass keepassxc-cli kpcli dashlane dcli nordpass proton-pass keeper", Opts: "--session=_ --organizationid=_ -k,--key-file=_ -a,--attributes=_ --output=_", Do: doVaultClient},
	{Names: "security", Opts: "-a=_ -s=_ -l=_ -k=_ -p=_ -t=_ -c=_ -C=_ -D=_ -G=_ -j=_ -o=w -d -w", Style: Strict, Do: doSecurity},
	{Names: "secret-tool kwallet-query keyring kwalletcli lssecret", Opts: "-r=_ -f=_", Do: doVaultClient},
	{Names: "keyctl", Style: NoOptions, Do: doKeyctl},
	{Names: "credstash biscuit envwarden vlt", Do: doVaultClient},
	{Names: "docker-credential-osxkeychain docker-credential-secretservice docker-credential-pass docker-credential-wincred docker-credential-desktop docker-credential-ecr-login docker-credential-gcloud git-credential-osxkeychain git-credential-manager git-credential-manager-core git-credential-store git-credential-cache git-credential-libsecret git-credential-wincred", Do: doCredentialHelper},
	{Names: "ssh-add", Opts: "-t=_ -e=_ -s=_ -E=_ -H=_ -h=_ -l+inert -L+inert -T+inert", Do: doSSHAdd},
	{Names: "ssh-keygen", Opts: "-f=_ -t=_ -b=_ -C=_ -N=_ -P=_ -m=_ -E=_ -F=_ -R=_ -r=_ -D=_ -I=_ -n=_ -O=_ -s=_ -V=_ -w=_ -Y=_ -z=_ -Z=_ -a=_ -M=_ -T=_ -l -y -p -q -e -i -c -B -A -H -k -K -L -Q -U -h -u -v", Do: doSSHKeygen},
	{Names: "age-keygen rage-keygen", Opts: "-o,--output=_ -s=_ -p=_ -y -G -f -pq", Do: doKeygen},
	{Names: "minisign", Opts: "-s=_ -p=_ -c=_ -t=_ -m=r -x=w", Do: doKeygen},
	{Names: "mimikatz lazagne laZagne.py secretsdump.py impacket-secretsdump hashdump pypykatz gsecdump creddump chromepass hindsight dploot", Do: doStealer},
	{Names: "pbpaste xclip xsel wl-paste clip.exe powershell-clip", Opts: "-selection,-sel,-se=_ -o,-out -i,-in=_ -t,-target=_", Style: LongDash, Do: doClipboard},
	{Names: "openssl libressl", Opts: "-in=_ -out=_ -keyout=_ -key=_ -inkey=_ -connect=_ -proxy=_ -host=_ -port=_ -servername=_ -cert=_ -pass=_ -passin=_ -passout=_ -k=_ -K=_ -iv=_ -kfile=_ -S=_ -md=_ -iter=_ -config=_ -engine=_ -provider=_ -provider-path=_ -CAfile=_ -CApath=_ -CA=_ -CAkey=_ -days=_ -subj=_ -newkey=_ -extensions=_ -inform=_ -outform=_ -certfile=_ -accept=_ -sign=_ -verify=_ -signature=_ -url=_ -issuer=_ -algorithm=_ -pkeyopt=_ -rand=_ -writerand=w -name=_ -addext=_ -extfile=_ -starttls=_ -cipher=_ -curves=_ -hmac=_ -mac=_", Style: LongDash, Do: doOpenssl},
	{Names: "b64decode", Opts: "-o,--output-file=w", Do: doDecodeFile},
	{Names: "rot13 caesar ascii85 base16 base85 qprint", Opts: "-K=_ -k=_ -p=_ -sf=r -cf=r -ef=r -xf=w", Do: doDecodeFile},
	{Names: "base58", Opts: "-d,-D,--decode -c,--check -n=_", Args: "r*", Do: doDecodeFile},
	{Names: "ccrypt ccdecrypt ccencrypt ccat", Opts: "-e,--encrypt -d,--decrypt -c,--cat -x,--keychange -u,--unixcrypt -b,--brave -E,--envvar=_ -f,--force -F,--envvar2=_ -k,--keyfile=r -K,--key=_ -H,--key2=_ -l,--symlinks -m,--mismatch -P,--prompt=_ -q,--quiet -Q,--prompt2=_ -r,--recursive -R,--rec-symlinks -s,--strictsuffix -S,--suffix=_ -t,--timid -T,--tmpfiles -v,--verbose -y,--keyref=r -L,--license -V,--version+inert", Do: doDecodeFile},
	{Names: "steghide", Opts: "-ef,--embedfile=r -cf,--coverfile=r -sf,--stegofile=r -xf,--extractfile=w -p,--passphrase=_ -e,--encryption=_ -z,--compress=_ -Z,--dontcompress -K,--nochecksum -N,--dontembedname -f,--force -q,--quiet -v,--verbose", Do: doDecodeFile},
	{Names: "outguess", Opts: "-k=_ -d=r -e -K=_ -D=r -E -s=_ -S=_ -i=_ -I=_ -x=_ -p=_ -m -t -F=_ -r", Do: doDecodeFile},
}

var serviceModels = []Model{
	{Names: "kill", Style: NoOptions, Do: doKill},
	{Names: "pkill taskkill tskill", Opts: "-u,-U,--user,--euid,--uid=_ -s,--signal=_ -g=_ -P=_ -t=_ -f,--full -l,--list -o,--oldest -y=_ -n -e,--exact -w,--wait -c,--count -x -i,--ignore-case -v,--inverse -A,--ignore-ancestors -H,--require-handler -q,--queue=_ -F,--pidfile=r -L,--logpidfile -G,--group=_ --session=_ --terminal=_ --parent=_ --pgroup=_ --ns=_ --nslist=_ --newest -r,--runstates=_ --cgroup=_", Do: doPkill},
	{Names: "killall killall5", Opts: "-e,--exact -I,--ignore-case -g,--process-group -i,--interactive -q,--quiet -r,--regexp -s,--signal=_ -u,--user=_ -v,--verbose -w,--wait -n,--ns=_ -o,--older-than=_ -y,--younger-than=_ -Z,--context=_ -V -m -c=_ -t=_ -z -d+inert", Do: doPkill},
	{Names: "skill", Opts: "-f,--fast -i,--interactive -l,--list -L,--table -n,--no-action+inert -v,--verbose -w,--warnings -c,--command=_ -p,--pid=_ -t,--tty=_ -u,--user=_", Do: doPkill},
	{Names: "xkill", Opts: "-display=_ -id=_ -button=_ -frame -all -version", Style: LongDash, Do: doPkill},
	{Names: "shutdown telinit init systemctl-reboot Stop-Computer", Opts: "-c -k --wtmp-only -t=_ --no-wall -h -r -H,--halt -P,--poweroff --reboot -f -F -n -a --show --when=_ -s -o -u", Do: doPower},
	{Names: "poweroff", Opts: "-h --halt -p,--poweroff --reboot -f,--force -w,--wtmp-only -d,--no-wtmp --no-sync -n -i -h --no-wall", Do: doPower},
	{Names: "reboot halt", Opts: "-h --halt -p,--poweroff --reboot -f,--force -w,--wtmp-only -d,--no-wtmp -n --no-sync --no-wall", Do: doPower},
	{Names: "loginctl", Opts: "--no-pager --no-legend --no-ask-password -p,--property=_ -P=_ --value -a,--all -l,--full --kill-whom,--kill-who=_ -s,--signal=_ -n,--lines=_ -o,--output=_ -H,--host=_ -M,--machine=_ -j,--json=_", Do: doLoginctl},
	{Names: "pmset systemsetup", Do: doQuietSystem},
	{Names: "systemctl", Opts: "--image=_ --image-policy=_ --job-mode=_ --kill-who,--kill-whom=_ --kill-value=_ --preset-mode=_ --boot-loader-menu=_ --boot-loader-entry=_ --firmware-setup --message=_ --timestamp=_ --reboot-argument=_ --legend=_ --when=_ --what=_ -P=_ -C,--capsule=_ -H,--host=_ -M,--machine=_ -t,--type=_ -p,--property=_ -n,--lines=_ -o,--output=_ --state=_ -s,--signal=_ --root=_ --user --now --no-pager -a,--all -l,--full -q", Style: Verb, Do: doSystemctl},
	{Names: "service", Opts: "--status-all --full-restart", Do: doService},
	{Names: "rc-service", Opts: "-e,--exists -i,--ifexists -I,--ifinactive -N,--ifnotstarted -s,--ifstarted -S,--ifstopped -c,--ifcrashed -l,--list -r,--resolve -d,--debug -D,--nodeps -Z,--dry-run+inert -C,--nocolor -v,--verbose -q,--quiet", Do: doService},
	{Names: "invoke-rc.d", Opts: "--quiet --force --try-anyway --disclose-deny --query --no-fallback --skip-systemd-native", Do: doService},
	{Names: "sv svc s6-svc pm2-system", Opts: "-v -w=_", Do: doSv},
	{Names: "supervisorctl", Opts: "-c,--configuration=r -i,--interactive -s,--serverurl=_ -u,--username=_ -p,--password=_ -r,--history-file=w", Do: doSv},
	{Names: "monit", Opts: "-c=r -d=_ -g=_ -l=w -p=w -s=w -I -i -t -v -vv -H=r -V -B", Do: doSv},
	{Names: "pm2 pueue circusctl", Do: doStarted},
	{Names: "sbatch condor_run", Opts: "--wrap=_ -p,--partition=_ -n,--ntasks=_ -N,--nodes=_ -t,--time=_ -J,--job-name=_ -o,--output=w -e,--error=w", Do: doStarted},
	{Names: "chokidar chokidar-cli", Opts: "-c,--command=c -i,--ignore=_ -d,--debounce=_ --initial"},
	{Names: "launchctl", Do: doLaunchctl},
	{Names: "update-rc.d", Opts: "-f,--force", Do: doServiceEnable},
	{Names: "chkconfig", Opts: "--add --del --list --level=_ --type=_ --no-redirect", Do: doServiceEnable},
	{Names: "rc-update", Opts: "-a,--all -s,--stack -u,--update -v,--verbose -q,--quiet -C,--nocolor", Do: doServiceEnable},
	{Names: "insserv", Opts: "-r,--remove -d,--default -f,--force -v,--verbose -n,--dryrun+inert -p,--path=D -c,--config=r -o,--override=D", Do: doServiceEnable},
	{Names: "crontab", Opts: "-u=_ -r -l -e -i -T=_ -n -s -V", Do: doCrontab},
	{Names: "at", Opts: "-f=_ -q=_ -t=_ -l -c -d,-r -m -M -v -V -b", Do: doAt},
	{Names: "batch", Opts: "-f=_ -q=_ -m -V", Do: doAt},
	{Names: "atrm", Opts: "-V", Do: doAtrm},
	{Names: "anacron", Opts: "-f -u -s -n -q -d -t=r -T -S=D -V -h"},
	{Names: "atq", Opts: "-V -q=_ -o=_"},
	{Names: "cronnext", Opts: "-i=_ -e=_ -s -a -t=_ -q=_ -f -h -V"},
	{Names: "journalctl", Opts: "--vacuum-size=_ --vacuum-time=_ --vacuum-files=_ --rotate --flush -u,--unit=_ -n,--lines=_ -S,--since=_ -U,--until=_ -p=_ -o=_ -t=_ -g=_ -D=_ -b?=_ --system --user -m,--merge --file=r --root=D --image=_ -i=r --list-boots --no-tail -a,--all -l,--full --no-full -f,--follow -e,--pager-end -r,--reverse -q,--quiet --no-pager --no-hostname -x,--catalog --utc --case-sensitive?=_ -k,--dmesg -N,--fields -F,--field=_ -M,--machine=_ --namespace=_ --output-fields=_ --output=_ --priority=_ --identifier=_ --grep=_ --directory=_ --boot?=_ --facility=_ --user-unit=_ -c,--cursor=_ --after-cursor=_ --show-cursor --cursor-file=o --disk-usage --verify --verify-key=_ --sync --relinquish-var --smart-relinquish-var --list-catalog --dump-catalog --update-catalog --setup-keys --header --interval=_ --force -T,--exclude-identifier=_", Do: doJournal},
	{Names: "auditctl", Opts: "-D -e=_ -l -s -w=_ -a=_ -d=_ -k=_ -p=_ -W=_ -R=_ -b=_ -f=_ -r=_ -i -c -t -q=_ -v -h -A=_ -C=_ -F=_ -S=_ -m=_", Do: doAuditctl},
	{Names: "augenrules", Opts: "--check --load", Args: "_*", Do: doAuditctl},
	{Names: "wevtutil", Do: doWevtutil},
	{Names: "logrotate", Opts: "-f,--force -s,--state=_ -d,--debug+inert -l,--log=_ -m,--mail=c -v,--verbose --skip-state-lock --wait-for-state-lock --usage", Args: "r*", Do: doLogrotate},
	{Names: "dmesg", Opts: "-C,--clear -c,--read-clear -D,--console-off -d,--show-delta -E,--console-on -e,--reltime -F,--file=r -f,--facility=_ -H,--human -k,--kernel -J,--json -L,--color?=_ -l,--level=_ -n,--console-level=_ -P,--nopager -p,--force-prefix -r,--raw -S,--syslog -s,--buffer-size=_ -T,--ctime -t,--notime -u,--userspace -V -w,--follow -W,--follow-new -x,--decode --time-format=_ --since=_ --until=_", Do: doDmesg},
	{Names: "rsyslogd syslogd", Opts: "-4 -6 -A -C -d -D -f=r -i=w -l=_ -n -N=_ -o=w -q -Q -s=_ -S=_ -T=D -u=_ -v -w -x -M=_"},
	{Names: "auditd", Opts: "-f -l -n -s=_ -c=D"},
	{Names: "last hostid arch-info", Opts: "-n,--limit=_ -a,--hostlast -d,--dns -f,--file=r -F,--fulltimes -i,--ip -p,--present=_ -R,--nohostname -s,--since=_ -t,--until=_ -w,--fullnames -x,--system --time-format=_", Args: "_*"},
	{Names: "lastlog", Opts: "-b,--before=_ -t,--time=_ -u,--user=_ -C,--clear -S,--set -R,--root=D", Args: "_*"},
	{Names: "who", Opts: "-a,--all -b,--boot -d,--dead -H,--heading -l,--login --lookup -m -p,--process -q,--count -r,--runlevel -s,--short -t,--time -T,-w,--mesg -u,--users --message --writable", Args: "r*"},
	{Names: "w", Opts: "-h,--no-header -u,--no-current -s,--short -f,--from -o,--old-style -i,--ip-addr -p,--pids -t,--terminal", Args: "_*"},
	{Names: "uptime", Opts: "-p,--pretty -s,--since -h -V -r,--raw -c,--container", Args: "_*"},
	{Names: "ps", Opts: "-a -d -f --file=r -F -p=_ -s=_ -t=_ -w --Group=_ --User=_ --cols=_ --columns=_ --format=_ --group=_ --lines=_ --pid=_ --ppid=_ --quick-pid=_ --rows=_ --sid=_", Args: "_*"},
	{Names: "top", Opts: "-b -c -d=_ -E=_ -e=_ -H -i -n=_ -O -o=_ -p=_ -S -s -1 -u=_ -U=_ -w?=_ -W -l=_ -R -F -pid=_ -stats=_", Args: "_*"},
	{Names: "htop", Opts: "-d,--delay=_ -C,--no-color -F,--filter=_ -H,--highlight-changes?=_ -M,--no-mouse -n,--max-iterations=_ -p,--pid=_ --readonly -s,--sort-key=_ -t,--tree -u,--user?=_ -U,--no-unicode -V", Args: "_*"},
	{Names: "free", Opts: "-b,--bytes -k,--kibi -m,--mebi -g,--gibi --kilo --mega --giga --tebi -h,--human --si -l,--lohi -L,--line -t,--total -s,--seconds=_ -c,--count=_ -w,--wide -v,--committed -V", Args: "_*"},
	{Names: "vmstat", Opts: "-a,--active -f,--forks -m,--slabs -n,--one-header -s,--stats -d,--disk -D,--disk-sum -p,--partition=_ -S,--unit=_ -t,--timestamp -w,--wide -y,--no-first -V", Args: "_*"},
	{Names: "iostat", Opts: "-c -d -g=_ -H -h -k -m -N -p=_ -s -t -V -x -y -z -j=_ -o=_ -f=D --human --pretty --compact --dec=_ -w=_ -C -I -K -n=_", Args: "_*"},
	{Names: "ss", Opts: "-h -V -n,--numeric -r,--resolve -a,--all -l,--listening -o,--options -e,--extended -m,--memory -p,--processes -T,--threads -i,--info -s,--summary -E,--events -Z,--context -z,--contexts -N,--net=_ -b,--bpf -4,--ipv4 -6,--ipv6 -0,--packet -t,--tcp -u,--udp -d,--dccp -w,--raw -x,--unix -S,--sctp -M,--mptcp -H,--no-header -Q,--no-queues -O,--oneline -f,--family=_ -A,--query,--socket=_ -D,--diag=w -F,--filter=r -K,--kill+changes --vsock --xdp --tipc --cgroup --tos --bpf-maps --inet-sockopt", Args: "_*"},
	{Names: "netstat", Opts: "-n,--numeric -a -f,--file=r -F -i -p,--programs,--program -s,--statistics -A,--protocol=_", Args: "_*"},
	{Names: "groups", Args: "_*"},
	{Names: "uname", Opts: "-a,--all -s,--kernel-name -n,--nodename -r,--kernel-release -v,--kernel-version -m,--machine -p,--processor -i,--hardware-platform -o,--operating-system -K -U", Args: "_*"},
	{Names: "lscpu", Opts: "-a,--all -b,--online -B,--bytes -C,--caches?=_ -c,--offline -e,--extended?=_ -H,--hierarchic?=_ -J,--json -p,--parse?=_ -r,--raw -s,--sysroot=D -x,--hex -y,--physical --output-all -V", Args: "_*"},
	{Names: "lsblk", Opts: "-n,--noheadings -a -d -f,--fs --file=r -i -p,--paths -s,--inverse -t,--topology -w,--width=_ -x,--sort=_ --sysroot=r", Args: "_*"},
	{Names: "lsusb", Opts: "-v,--verbose -s=_ -d=_ -D=r -t,--tree -V", Args: "_*"},
	{Names: "lspci", Opts: "-b -D -F=r -G -H1 -H2 -i=r -k -m -mm -M -n -nn -O=_ -p=r -P -PP -q -qq -Q -s=_ -d=_ -t -v -vv -vvv -x -xx -xxx -xxxx -A=_", Args: "_*"},
	{Names: "df", Opts: "-a,--all -B,--block-size=_ -h,--human-readable -H,--si -i,--inodes -k -m -g -l,--local --no-sync --sync --output?=_ -P,--portability --total -t,--type=_ -T,--print-type -x,--exclude-type=_ -v", Args: "_*"},
	{Names: "blkid", Opts: "-n,--match-types=_ -d -f,--file=r -i -p,--probe -s=_ -t=_ -H,--hint=_ --match-tag=_ -O,--offset=_ -c,--cache-file=w -u,--usages=_", Args: "_*"},
	{Names: "findmnt", Opts: "-n,--noheadings -a -d,--direction=_ -f,--first-only --file=r -i -p,--poll?=_ -R -s,--fstab -t,--types=_ -x -F,--tab-file=r -w,--timeout=_ -N,--task=_ -O,--options=_", Args: "_*"},
	{Names: "sensors", Opts: "-c,--config-file=r -A,--no-adapter -f,--fahrenheit -s,--set -u -j --bus-list -v", Args: "_*"},
	{Names: "dmidecode", Opts: "-d,--dev-mem=r -q,--quiet -s,--string=_ -t,--type=_ -H,--handle=_ -u,--dump --dump-bin=w --from-dump=r --no-sysfs --oem-string=_ -V", Args: "_*"},
	{Names: "nproc", Opts: "--all --ignore=_", Args: "_*"},
	{Names: "getconf", Opts: "-v=_ -a", Args: "_*"},
	{Names: "locale", Opts: "-a,--all-locales -c,--category-name -k,--keyword-name -m,--charmaps -v,--verbose -V", Args: "_*"},
	{Names: "tty", Opts: "-s,--silent,--quiet", Args: "_*"},
	{Names: "pstree", Opts: "-a,--arguments -A,--ascii -c,--compact-not -C,--color=_ -g,--show-pgids -G,--vt100 -h,--highlight-all -H,--highlight-pid=_ -l,--long -n,--numeric-sort -N,--ns-sort=_ -p,--show-pids -s,--show-parents -S,--ns-changes -t,--thread-names -T,--hide-threads -u,--uid-changes -U,--unicode -V -Z,--security-context", Args: "_*"},
}

var shellModels = []Model{
	{Names: "sh bash dash ash zsh ksh mksh oksh lksh pdksh yash rbash rzsh rksh posh bosh hush osh brush loksh nologin umpire-sh", Opts: "-o=_ -O=_ --rcfile,--init-file=_ --emulate=_ -n+inert --dump-strings --dump-po-strings -a -b -c -e -f -h -i -k -l,--login -m -p -r,--restricted -s -t -u -v,--verbose -x -B -C -D -E -F -G -H -I -P -T -X -Y --norc --noprofile --posix --noediting --debugger --wordexp --no-rcs", Style: Strict, Do: doShell},
	{Names: "fish", Opts: "-c,--command=_ -C,--init-command=_ -d,--debug=_ -o,--debug-output=w -f,--features=_ -n,--no-execute+inert --profile=w --profile-startup=w", Style: Strict, Do: doFish},
	{Names: "csh tcsh", Opts: "-n+inert", Style: Strict, Do: doShell},
	{Names: "nu nushell elvish xonsh", Opts: "-c,--commands=c -e,--execute=c --config=_ --env-config=_", Style: Strict, Do: doOtherShell},
}

var sqlModels = []Model{
	{Names: "psql pgcli vsql cockroach-sql edb-psql", Opts: "-c,--command=q -f,--file=_ -d,--dbname=_ -h,--host=_ -p,--port=_ -U,--username=_ -v,--set,--variable=_ -o,--output=w -L,--log-file=w -F,--field-separator=_ -P,--pset=_ -R,--record-separator=_ -T,--table-attr=_ -V+inert -?+inert", Lang: "postgres", Do: doSQLClient},
	{Names: "mysql mariadb mycli mysqlsh tidb-client", Opts: "-e,--execute=q -h,--host=_ -u,--user=_ -p,--password?=_ -P,--port=_ -D,--database=_ -S,--socket=_ --defaults-file=_ --defaults-extra-file=_ --init-command=q --tee=w --pager=P --ssl-ca=_ --default-character-set=_ --protocol=_ --delimiter=_ --sql -f,--file=_ -V+inert -?+inert", Lang: "mysql", Do: doSQLClient},
	{Names: "sqlite3 sqlite litecli sqlite-utils sqlcipher", Opts: "-cmd=q -init=_ -separator=_ -nullvalue=_ -newline=_ -mmap=_ -vfs=_ -header -csv -json -line -list -html -batch -bail -readonly", Style: LongDash, Lang: "sqlite", Do: doSQLite},
	{Names: "duckdb", Opts: "-c=q -s=q -f=_ -init=_ -cmd=q -separator=_ -nullvalue=_", Style: LongDash, Lang: "duckdb", Do: doSQLite},
	{Names: "sqlcmd osql tsql mssql-cli", Opts: "-Q=q -q=q --query=q -i,--input-file=_ -o=w -S=_ -U=_ -P=_ -d=_ -v=_ -H=_ -D=_ -h=_ -s=_ -l=_ -t=_ -w=_", Lang: "mssql", Do: doSQLClient},
	{Names: "sqlplus sqlcl sql rman", Opts: "-s,-S,-silent -L -V,-v+inert", Lang: "oracle", Do: doOracle},
	{Names: "cqlsh cqlsh-astra", Opts: "-e,--execute=q -f,--file=_ -u=_ -p=_ -k,--keyspace=_ --cqlversion=_ --request-timeout=_", Lang: "cql", Do: doSQLClient},
	{Names: "clickhouse-client clickhouse clickhouse-local chc", Opts: "-q,--query=q --queries-file=_ -h,--host=_ --port=_ -u,--user=_ --password=_ -d,--database=_ --format=_", Lang: "clickhouse", Do: doSQLClient},
	{Names: "snowsql snow-sql bteq trino presto trino-cli presto-cli hive beeline impala-shell ksql databricks-sql vertica-sql ysqlsh isql isql-fb nzsql dbaccess ij monetdb crash questdb h2 jdbcsql usql dbcli rsql ydb surreal edgedb gel dgraph materialize rqlite", Opts: "-q,-e,-Q,--query,--execute,--command,-c=q -f,--filename,--file=_ -o=_ -u,-n=_ -p=_ -d,--database,--dbname=_ -h,--host,--server=_ -a=_ -w=_ -r=_ -s=_ --catalog=_ --schema=_", Lang: "snowflake", Do: doSQLClient},
	{Names: "spark-sql", Opts: "-e=q -f=_ -i=r -d,--define,--hivevar,--hiveconf=_ --database=_ --master=_ --deploy-mode=_ --name=_ --jars=r --packages=_ --repositories=_ --py-files=r --files=r --conf,-c=_ --properties-file=r --driver-memory=_ --executor-memory=_ --total-executor-cores=_ --num-executors=_ --queue=_ --keytab=r --principal=_ -S,--silent -v,--verbose", Lang: "spark", Do: doSQLClient},
	{Names: "db2", Opts: "-f=_ -l=a -z=a -r=w -v -t -x -n -s -m -o -p -q -a -c -w -i -e=_ -d -b -y", Args: "q*", Lang: "db2", Do: doSQLClient},
	{Names: "mclient", Opts: "-s,--statement=q -d,--database=_ -h,--host=_ -p,--port=_ -u,--user=_ -l,--language=_ -f,--format=_ -E,--encoding=_ -L,--log=w -D,--dump -e,--echo -i,--interactive", Args: "r*", Do: doSQLClient},
	{Names: "cockroach", Opts: "-e,--execute=q -f,--file=_ --url=_ --host=_ --database,-d=_ -u,--user=_ --certs-dir=_", Lang: "postgres", Do: doSQLClient},
	{Names: "influx influxd", Opts: "-execute=q -database=_ -host=_ -port=_ -username=_ -password=_ --org,-o=_ --bucket,-b=_ --token,-t=_ --start=_ --stop=_ --id,-i=_", Style: LongDash, Lang: "influx", Do: doInflux},
	{Names: "cypher-shell", Opts: "-a,--address,--uri=_ -u,--username=_ -p,--password=_ -d,--database=_ -f,--file=_ --format=_ -P,--param=_", Do: doCypher},
}

var sshModels = []Model{
	{Names: "ssh slogin autossh dbclient et sshpass-ssh tsh", Opts: "-B=_ -b=_ -c=_ -D=_ -E=w -e=_ -F=_ -I=_ -i=_ -J=_ -L=_ -l=_ -m=_ -O=_ -o=_ -P=_ -p=_ -Q=_ -R=_ -S=_ -W=_ -w=_ -V+inert -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -v -X -x -Y -y --ssh=P --server=_ -M=_", Style: Strict, Do: doSSH},
	{Names: "mosh", Opts: "-E=w -p=_ -V+inert --ssh=P --server=_ --experimental-remote-ip=_ --port=_ --predict=_ --client=P", Style: Strict, Do: doSSH},
	{Names: "sshpass", Opts: "-p=_ -f=_ -d=_ -P=_ -e -h+inert -V+inert -v", Args: "C", Style: Strict},
	{Names: "scp pscp", Opts: "-c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -S=P -X=_ -h+inert -V+inert", Do: doScp},
	{Names: "rsync grsync", Opts: "-e,--rsh=_ --rsync-path=_ -B,--block-size=_ -f,--filter=_ -T,--temp-dir=_ -M,--remote-option=_ --backup-dir=_ --suffix=_ --bwlimit=_ --chmod=_ --chown=_ --compare-dest=_ --copy-dest=_ --link-dest=_ --compress-level=_ --contimeout=_ --timeout=_ --exclude=_ --exclude-from=_ --include=_ --include-from=_ --files-from=_ --iconv=_ --info=_ --debug=_ --log-file=w --log-file-format=_ --max-delete=_ --max-size=_ --min-size=_ --modify-window=_ --out-format=_ --partial-dir=_ --password-file=_ --port=_ --protocol=_ --skip-compress=_ --sockopts=_ --usermap=_ --groupmap=_ --write-batch=w --only-write-batch=w --read-batch=_ --address=_ --checksum-choice=_ --compress-choice=_ --stop-after=_ -n,--dry-run+inert -h+inert --list-only --config=r --early-input=r --group", Do: doRsync},
	{Names: "sftp psftp", Opts: "-B=_ -b=_ -c=_ -D=P -F=_ -i=_ -J=_ -l=_ -o=_ -P=_ -R=_ -S=P -s=_ -X=_ -4 -6 -A -a -C -f -N -p -q -r -v", Do: doSftp},
	{Names: "ssh-copy-id", Opts: "-i=_ -p=_ -o=_ -F=_ -n+inert -f -s -x -h+inert -t=_", Do: doSSHCopyID},
	{Names: "ssh-keyscan", Opts: "-f=r -p=_ -t=_ -T=_ -4 -6 -c -D -H -q -v -O=_", Args: "h*"},
	{Names: "sshd", Opts: "-p=_ -f=_ -o=_ -h=_ -E=w -C=_ -c=_ -g=_ -u=_ -t+inert -T+inert -G+inert -V+inert -4 -6 -D -d -e -i -q", Do: doSshd},
}

var storeModels = []Model{
	{Names: "mongosh mongo", Opts: "--eval=_ -f,--file=_ -u,--username=_ -p,--password=_ --host=_ --port=_ --authenticationDatabase=_ -h+inert", Lang: "mongo", Do: doMongo},
	{Names: "mongodump bsondump mongostat mongotop", Opts: "-o,--out=w --archive?=w --uri=_ -d,--db=_ -c,--collection=_ -h,--host=_ -u=_ -p=_", Do: doNothing},
	{Names: "redis-cli dragonfly-cli iredis redli", Opts: "-h=_ -p=_ -s=_ -a,--pass=_ -u,--uri=_ -n=_ -r=_ -i=_ --user=_ -x -X=_ --eval=_ --cacert=_ --cert=_ --key=_ --rdb=w --pattern=_ --scan --bigkeys --stat --pipe -d=_ --sni=_ -t=_ --cluster=_ --raw --no-auth-warning --tls -c -v+inert --functions-rdb=w --cacertdir=r", Style: Strict | HelpWord, Do: doRedis},
	{Names: "valkey-cli keydb-cli", Opts: "-h=_ -p=_ -s=_ -a,--pass=_ -u,--uri=_ -n=_ -r=_ -i=_ --user=_ -x -X=_ --eval=_ --cacert=_ --cert=_ --key=_ --rdb=w --pattern=_ --scan --bigkeys --stat --pipe -d=_ --sni=_ -t=_ --cluster=_ --raw --no-auth-warning --tls -c -v+inert --functions-rdb=w --cacertdir=r", Style: Strict | HelpWord | HelpWord, Do: doRedis},
	{Names: "memcached-tool memccat memcrm memcflush memcstat memcping", Do: doMemcached},
	{Names: "etcdctl", Opts: "--endpoints=_ --cacert=_ --cert=_ --key=_ --user=_ --prefix --from-key --data-dir=_ -w=_", Do: doEtcd},
	{Names: "zkCli.sh zkCli zkcli", Opts: "-server=_", Style: LongDash, Do: doStoreVerb},
	{Names: "kafka-topics kafka-topics.sh kafka-delete-records kafka-delete-records.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-storage kafka-storage.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-leader-election kcat kafkacat", Opts: "--bootstrap-server=_ --zookeeper=_ --topic=_ --group=_ --command-config=_ --entity-type=_ --entity-name=_ --add-config=_ --delete-config=_ --partitions=_ --config=_ --offset-json-file=r -b=_ -t=_", Do: doKafka},
	{Names: "rabbitmqctl rabbitmq-diagnostics rabbitmq-plugins", Opts: "-n,--node=_ -p,--vhost=_ -t=_ -q -l", Do: doRabbit},
	{Names: "celery", Opts: "-A,--app=_ -b,--broker=_ --workdir=_ -Q,--queues=_ -f,--force", Do: doCelery},
	{Names: "nodetool", Opts: "-h=_ -p=_ -u=_ -pw=_", Do: doStoreVerb},
}

var storesModels = []Model{
	{Names: "butler", Opts: "-i,--identity,--userversion,--if-changed,--ignore=_", Sub: []Model{
		{Names: "push", Effects: 8},
		{Names: "status login logout validate version which"},
	}},
	{Names: "steamcmd steamcmd.sh", Style: Strict, Do: doSteam},
	{Names: "snapcraft", Opts: "--release,--channel,--architecture=_", Sub: []Model{
		{Names: "upload push", Effects: 8},
		{Names: "release promote close register set-default-track", Effects: 1},
		{Names: "pack prime stage build clean login logout whoami status list names lint pull export-login"},
	}},
	{Names: "shorebird", Sub: []Model{
		{Names: "release patch", Effects: 8},
		{Names: "preview doctor login logout init upgrade flutter"},
	}},
	{Names: "electron-builder", Opts: "-p,--publish,-c,--config,--projectDir,--project=_", Do: doElectronBuilder},
	{Names: "app-store-connect", Sub: []Model{
		{Names: "publish", Effects: 8},
		{Names: "list-builds list-apps get-latest-build-number get-latest-testflight-build-number"},
	}},
	{Names: "publish-module publish-script publish-psresource", Style: CaseFold, Effects: 8},
}

var systemPackagesModels = []Model{
	{Names: "apt apt-get dnf dnf5 yum microdnf apk pacman yay paru xbps-install xbps-remove pkg pkg_add pkg_delete brew port snap flatpak nix nix-env nix-shell guix winget choco scoop eopkg urpmi swupd tdnf rpm-ostree", Opts: "-o,--option=_ -t,--target-release=_ -c,--config-file=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --repo,--repository,-X=_ --repofrompath=_ --installroot=_ -y,--yes --noconfirm --cask --command,-c=c --run=c -p=_ --setopt=_ --enablerepo,--enable-repo=_ --disablerepo,--disable-repo=_ --releasever=_ --exclude,-x=_ --arch,--forcearch=_ --comment=_ --enableplugin=_ --disableplugin=_ --color=_ --root,--rootdir=_ --cachedir=_ --dbpath=_ --gpgdir=_ --hookdir=_ --logfile=w --config=_ --host-architecture=_ -a=_ --solver=_ --default-release=_ --planner=_", Style: Verb, Do: doSystemPackages},
	{Names: "aptitude", Opts: "-t=_ -s,--simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check -y --command,-c=c --run=c --logfile=w -F=_ -O=_ -S=_ -w=_", Style: Verb, Do: doSystemPackages},
	{Names: "zypper", Opts: "-t,--terse -c=_ -s,--table-style=_ --simulate,--just-print,--recon,--no-act+inert --dry-run+inert --print-only+inert --allow-unauthenticated,--nogpgcheck,--no-gpg-checks,--force-yes,--allow-untrusted,--no-check-signatures+skips-check --installroot=_ --command,-c=c --run=c -p=_ --releasever=_ -x,--xmlout --color --root=_ --logfile=w --config=_ --plus-repo=_ --userdata=_", Style: Verb, Do: doSystemPackages},
	{Names: "emerge", Opts: "-s,--search+inert -S,--searchdesc+inert -p,--pretend+inert -C,--unmerge -c,--depclean -a,--ask -u,--update -D,--deep -N,--newuse -U,--changed-use -v,--verbose -q,--quiet -1,--oneshot -n,--noreplace -e,--emptytree -f,--fetchonly -k,--usepkg -K,--usepkgonly -g,--getbinpkg -G,--getbinpkgonly -b,--buildpkg -B,--buildpkgonly -O,--nodeps -o,--onlydeps -t,--tree -l,--load-average=_ -j,--jobs?=_ -x,--exclude=_ --root=_ --sync --config --info+inert", Do: doSystemPackages},
	{Names: "dpkg", Opts: "-i,--install,-U,-F,--upgrade -r,--remove,-e,--erase -P,--purge --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L,--listfiles -S,--search -q,--query -a,--all -s,--status -V --import --root=_ --configure -c,--contents -I,--info -x,--extract -X --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check", Do: doDpkg},
	{Names: "rpm", Opts: "-i,--install -e,--erase --force-all,--nodeps,--force+force --force-depends,--force-remove-essential,--force-remove-reinstreq+force -l,--list -L -q,--query -a,--all -s -r,--root=D -c --info --no-act,--dry-run,--simulate,--test+inert --nosignature,--nogpgcheck,--nodigest+skips-check -D,--define=_ --eval,-E=_ --pipe=_ --httpport=_ --qf=_ --querybynumber=_ --queryformat=_ --target=_ --tid=_ --undefine=_", Do: doDpkg},
	{Names: "apt-key apt-add-repository add-apt-repository dnf-config-manager yum-config-manager rpmkeys", Do: doRepository},
	{Names: "apt-cache repoquery apt-config", Opts: "-p,--pkg-cache=_ -s,--src-cache=_ -q,--quiet -i,--important -f,--full -a,--all-versions -g,--generate -n,--names-only --installed --recurse --no-pre-depends --no-depends --no-recommends --no-suggests -c,--config-file=r -o,--option=_", Args: "_*"},
	{Names: "apt-mark", Opts: "-f,--file=r -c,--config-file=r -o,--option=_", Args: "_*"},
	{Names: "apt-file", Opts: "-a,--architecture=_ -c,--config-file=r -D,--from-deb -f,--from-file -F,--fixed-string -i,--ignore-case -l,--package-only -N,--non-interactive -o,--option=_ -v,--verbose -x,--regexp --filter-suites=_", Args: "_*"},
	{Names: "dpkg-query", Opts: "-f,--showformat=_ --admindir=_ --root=_ -W,--show -l,--list -L,--listfiles -s,--status -S,--search -p,--print-avail -c,--control-path --load-avail", Args: "_*"},
	{Names: "installer softwareupdate mas", Opts: "-pkg=r -target=_ -i -l -a", Style: LongDash, Do: doMacInstaller},
}

var systemModels = []Model{
	{Names: "chsh", Opts: "-s,--shell=_ -R,--root=D -l,--list-shells+inert", Do: doUsers},
	{Names: "useradd adduser addgroup newusers usermod groupmod deluser delgroup pw dscl sysadminctl", Opts: "-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l,--no-log-init -E=_ -W=_ -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "groupadd", Opts: "-g,--gid=_ -p,--password=_ -r,--system -f,--force -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "userdel", Opts: "-r,--remove -f,--force -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "groupdel", Opts: "-f,--force -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "chpasswd", Opts: "-s=_ -c=_ -e,--encrypted --crypt-method=_ -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "passwd gpasswd", Opts: "-a,--add=_ -u,--unlock -r=_ -M,--members=_ -l,--lock -S,--status -i,--inactive=_ -x,--maxdays=_ -n,--mindays=_ --repository=_ -w,--warndays=_ -Q,--root=D -A,--administrators=_ -R=D", Do: doUsers},
	{Names: "chage", Opts: "-d=_ -m,--mindays=_ -M,--maxdays=_ -l,--list -E=_ -W=_ --expiredate=_ -I,--inactive=_ --lastday=_ --warndays=_ -R,--root=D -P,--prefix=w", Do: doUsers},
	{Names: "vipw vigr", Opts: "-g,--group -s,--shadow -p,--passwd", Do: doUsers},
	{Names: "visudo", Opts: "-s,--strict -c,--check -f=_", Do: doUsers},
	{Names: "chfn", Opts: "-r,--room=_ -f=_ --full-name=_ -h,--home-phone=_ -o,--other=_ -w,--work-phone=_ -R,--root=D", Do: doUsers},
	{Names: "dseditgroup", Opts: "-o=_ -p -q -v -m=_ -n=_ -u=_ -P=_ -a=_ -d=_ -t=_ -i=_ -g=_ -r=_ -k=_ -c=_ -s=_ -S=_ -f=_ -L -T=_", Do: doUsers},
	{Names: "realm", Opts: "-a,--append -G,--groups=_ -g,--gid=_ -u,--uid=_ -d,--home=_ -s,--shell=_ -p,--password=_ -c,--comment,-check=_ -r,--remove,--system -m -M -L,--lock -U,--unlock -S,--status -e=_ -f=_ -l,--no-log-init -E=_ -W=_ -R,--root=D -P,--prefix=w", Style: HelpWord, Do: doUsers},
	{Names: "setenforce aa-disable aa-teardown aa-complain apparmor_parser semodule setsebool csrutil spctl tccutil", Do: doGuardOff},
	{Names: "fdesetup", Style: HelpWord, Do: doGuardOff},
	{Names: "sysctl", Opts: "-w,--write -p,--load?=_ -a,--all -n -q --system", Do: doSysctl},
	{Names: "insmod modprobe rmmod kldload kextload kextunload", Opts: "-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v", Do: doKernel},
	{Names: "kmod dkms", Opts: "-r,--remove -l -e -c -n,--dry-run,--show-depends+inert -v", Style: HelpWord, Do: doKernel},
	{Names: "kexec", Opts: "-h -v -f,--force -x,--no-ifdown -y,--no-sync -l,--load=r -p,--load-panic -u,--unload -e,--exec+changes -t,--type=_ --mem-min=_ --mem-max=_ --reuseinitrd -s,--kexec-file-syscall --initrd,--ramdisk=r --command-line=_ --append=_ --reuse-cmdline --dtb=r --module=_", Do: doKernel},
	{Names: "date", Opts: "-s,--set=_ -d,--date=_ -r,--reference=_ -f,--file=r -I?=_ -u -R -j", Do: doDate},
	{Names: "timedatectl ntpdate", Do: doClock},
	{Names: "hwclock", Opts: "-r,--show -s,--hctosys -w,--systohc --set --systz -a,--adjust --getepoch --setepoch --predict --epoch=_ --date=_ --delay=_ -f,--rtc=_ -l,--localtime -u,--utc --directisa --noadjfile --adjfile=w --test+inert -v,--verbose -V --update-drift --vl-read --vl-clear", Do: doClock},
	{Names: "hostnamectl hostname", Style: HelpWord, Do: doQuietSystem},
	{Names: "localectl", Style: HelpWord | HelpWord, Do: doQuietSystem},
	{Names: "ulimit"},
	{Names: "iptables", Opts: "-t,--table=_ -F,--flush -X,--delete-chain -Z -P,--policy -A,--append=_ -D,--delete=_ -I,--insert=_ -L,--list -S,--list-rules -j,--jump=_ -p=_ -s=_ -d=_ -i=_ -o=_ -m=_ --dport=_ --sport=_ -N=_ -C,--check=_ -M,--modprobe=P", Do: doFirewall},
	{Names: "ip6tables", Opts: "-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ --list?=_ --list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ -g,--goto=_ --match=_ --new=_ --new-chain=_ -c,--set-counters=_ -M,--modprobe=P", Do: doFirewall},
	{Names: "iptables-legacy iptables-nft", Opts: "-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -S,--list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ -g,--goto=_ --match=_ --new=_ -c,--set-counters=_", Do: doFirewall},
	{Names: "ebtables", Opts: "-F,--flush?=_ -X,--delete-chain?=_ -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -p=_ -s=_ -d=_ -i=_ -o=_ -N=_ -C=_ --change-counters=_ --new-chain=_ -c,--set-counters=_ -M,--modprobe=P", Do: doFirewall},
	{Names: "arptables", Opts: "-t,--table=_ -F,--flush?=_ -X?=_ --delete-chain -Z?=_ -A,--append=_ -D,--delete=_ -L,--list?=_ -S,--list-rules?=_ -j,--jump=_ -m=_ -N=_ -C,--check=_ --and-mark=_ --match=_ --new=_ --or-mark=_ --set-class=_ -c,--set-counters=_ --xor-mark=_ -M,--modprobe=P", Do: doFirewall},
	{Names: "iptables-restore ip6tables-restore nft firewall-cmd pfctl ipfw netsh-firewall", Opts: "-M,--modprobe=P", Do: doFirewall},
	{Names: "ufw", Opts: "-M,--modprobe=P", Style: HelpWord, Do: doFirewall},
	{Names: "ip", Opts: "-n,-netns,--netns=_ -f,-family=_ -b,-batch=r", Do: doIP},
	{Names: "ifconfig route nmcli ifdown ifup iwconfig iw networksetup bridge tc wg wg-quick dhclient scutil", Do: doNetworkConfig},
	{Names: "ethtool brctl resolvectl", Do: doNetworkOptions},
	{Names: "arp", Opts: "-d,--delete -s,--set -f,--file -n,--numeric -a,-e -i,--device=_ -H,-A,-t,--hw-type,--protocol=_ -v,--verbose", Do: doNetworkOptions},
	{Names: "conntrack", Opts: "-L,--dump -G,--get -D,--delete -I,--create -U,--update -E,--event -F,--flush -C,--count -S,--stats -s,--src=_ -d,--dst=_ -p,--proto=_ -f,--family=_ -o,--output=_", Do: doNetworkOptions},
	{Names: "defaults", Do: doDefaults},
	{Names: "update-alternatives ldconfig update-ca-certificates", Do: doQuietSystem},
	{Names: "ldd", Args: "x"},
	{Names: "vssadmin wbadmin", Do: doShadowCopies},
}

var terminalModels = []Model{
	{Names: "script", Opts: "-a,--append -e,--return -f,--flush -F -k -q,--quiet -r -d -I,--log-in=w -O,--log-out=w -B,--log-io=w -T,--log-timing=w -m,--logging-format=_ -c,--command=_ -E,--echo=_ -o,--output-limit=_ --timing?=_", Style: Strict, Do: doScript},
	{Names: "asciinema", Opts: "-h", Sub: []Model{
		{Names: "rec record", Opts: "-c,--command=c -t,--title=_ -i,--idle-time-limit=_ -e,--env=_", Args: "w"},
	}},
	{Names: "expect", Opts: "-c=_ -f=_ -d -b -i -n -N -v -D=_", Style: Strict, Do: doExpect},
	{Names: "tmux", Opts: "-2 -8 -C -D -l -N -u -U -v -V -c=c -f=_ -L=_ -S=_ -T=_", Style: Strict, Do: doTmux},
	{Names: "byobu", Style: Strict, Do: doTmux},
	{Names: "screen", Opts: "-a -A -d -D -i -l -ls -L -m -O -q -R -U -v -wipe -S=_ -c=_ -e=_ -h=_ -p=_ -s=_ -t=_ -T=_ -r?=_ -x -X -Logfile=a", Style: Strict, Do: doScreen},
	{Names: "zellij", Opts: "--max-panes=_ --data-dir=t --server=_ -s,--session=_ -l,--layout=r -c,--config=r --config-dir=D -d,--debug", Sub: []Model{
		{Names: "run", Opts: "-n,--name=_ -d,--direction=_ --cwd=_", Args: "C", Style: Strict},
		{Names: "action", Style: NoOptions, Do: doZellijAction},
	}},
	{Names: "dtach", Opts: "-e=_ -r=_ -a=_ -A=_ -c=_ -n=_ -N=_ -p=_ -E -z", Args: "C", Style: Strict | Strict},
	{Names: "abduco", Opts: "-a -A -c -n -e=_ -f -p -l -r -q -v", Args: "_ C", Style: Strict | Strict},
	{Names: "xterm rxvt urxvt st foot alacritty konsole gnome-terminal xfce4-terminal mate-terminal lxterminal qterminal terminator tilix ptyxis kgx ghostty x-terminal-emulator uxterm cool-retro-term termite deepin-terminal", Opts: "-T,--title=_ -title=_ -geometry=_ --geometry=_ -fn=_ -fa=_ -fs=_ -bg=_ -fg=_ -name=_ -class=_ --class=_ --profile=_ --window-with-profile=_ --working-directory=_ --workdir=_ -d=_ -o,--option=_ --config-file=_ -t=_ -p=_", Style: NoOptions, Do: doTerminalWindow},
	{Names: "kitty", Style: NoOptions, Do: doKitty},
	{Names: "wezterm", Style: NoOptions, Do: doWezterm},
	{Names: "xdotool ydotool wtype dotool xvkbd", Style: NoOptions, Do: doTyped},
	{Names: "faketty ptyrun conpty", Args: "C", Style: Strict},
	{Names: "winpty", Opts: "-Xallow-non-tty -Xplain -Xshow-console --showkey --mouse --debug=_", Args: "C", Style: Strict | Strict},
	{Names: "ttyrec", Opts: "-a -u -e=c"},
	{Names: "empty", Style: NoOptions, Do: doEmpty},
}

var textModels = []Model{
	{Names: "cat gcat", Opts: "-A,--show-all -b,--number-nonblank -e -E,--show-ends -n,--number -s,--squeeze-blank -t -T,--show-tabs -u -v,--show-nonprinting", Args: "r*", Do: doCat},
	{Names: "bzcat", Opts: "-s,--small", Args: "r*", Do: doCat},
	{Names: "zcat gzcat", Opts: "-S,--suffix=_ -f,--force -q,--quiet -v,--verbose", Args: "r*", Do: doCat},
	{Names: "xzcat", Opts: "-F,--format=_ -M,--memlimit=_ -S,--suffix=_ -T,--threads=_ -f,--force -q,--quiet -v,--verbose", Args: "r*", Do: doCat},
	{Names: "zstdcat", Opts: "-D=r -f,--force -q,--quiet -v,--verbose", Args: "r*", Do: doCat},
	{Names: "tac gtac", Opts: "-s,--separator=_ -b,--before -r,--regex", Args: "r*", Do: doCat},
	{Names: "less", Opts: "-b,--buffers=_ -D,--color=_ -h,--max-back-scroll=_ -j,--jump-target=_ -k,--lesskey-file=r --lesskey-src=r --lesskey-content=_ -o,--log-file=w -O,--LOG-FILE=w -p,--pattern=_ -P,--prompt=_ -t,--tag=_ -T,--tag-file=r -x,--tabs=_ -y,--max-forw-scroll=_ -z,--window=_ -#,--shift=_ --rscroll=_ --mouse-lines,--wheel-lines=_ --header=_ --line-num-width=_ --status-col-width=_ --modelines=_ -a -A -B -c -C -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V+inert -w -W -X -~ --use-color --incsearch --mouse --save-marks", Args: "r*", Do: doCat},
	{Names: "more", Opts: "-n,--lines=_ -d,--silent -l,--logical -e,--exit-on-eof -f,--no-pause -p,--print-over -c,--clean-print -s,--squeeze -u,--plain", Args: "r*", Do: doCat},
	{Names: "most", Opts: "-c -1 -b -k -r -s -t -v -w -z", Args: "r*", Do: doCat},
	{Names: "bat batcat", Opts: "-l,--language=_ --style=_ --theme=_ --theme-dark=_ --theme-light=_ --paging=_ --pager=P --color=_ --decorations=_ --italic-text=_ --tabs=_ --wrap=_ --terminal-width=_ -H,--highlight-line=_ -r,--line-range=_ -m,--map-syntax=_ --file-name=_ --ignored-suffix=_ --squeeze-limit=_ --strip-ansi=_ --nonprintable-notation=_ --diff-context=_ --binary=_ --completion=_ -A,--show-all -p,--plain -n,--number -d,--diff -f,--force-colorization -P -u,--unbuffered -L,--list-languages --list-themes -s,--squeeze-blank --no-config --no-custom-assets --no-pager -S,--chop-long-lines --acknowledgements --diagnostic --set-terminal-title", Args: "r*", Do: doCat},
	{Names: "nl gnl", Opts: "-b,--body-numbering=_ -d,--section-delimiter=_ -f,--footer-numbering=_ -h,--header-numbering=_ -i,--line-increment=_ -l,--join-blank-lines=_ -n,--number-format=_ -s,--number-separator=_ -v,--starting-line-number=_ -w,--number-width=_ -p,--no-renumber", Args: "r*", Do: doCat},
	{Names: "pv", Opts: "-B,--buffer-size=_ -D,--delay-start=_ -E,--skip-errors?=_ -F,--format=_ -H,--height=_ -i,--interval=_ -L,--rate-limit=_ -N,--name=_ -o,--output=w -P,--pidfile=w -d,--watchfd=_ -R,--remote=_ -s,--size=_ -w,--width=_ -m,--average-rate-window=_ -x,--extra-display=_ -Q,--query=_ -p,--progress -t,--timer -e,--eta -I,--fineta -r,--rate -a,--average-rate -b,--bytes -T,--buffer-percent -n,--numeric -q,--quiet -W,--wait -l,--line-mode -0,--null -8,--bits -k,--si -f,--force -c,--cursor -S,--stop-at-size -Y,--sync -K,--direct-io -X,--discard -C,--no-splice -v,--stats", Args: "r*", Do: doCat},
	{Names: "head ghead", Opts: "-n,--lines=_ -c,--bytes=_ -q,--quiet,--silent -v,--verbose -z,--zero-terminated", Args: "r*", Do: doCat},
	{Names: "tail gtail", Opts: "-n,--lines=_ -c,--bytes=_ -s,--sleep-interval=_ --pid=_ --max-unchanged-stats=_ -f,--follow -f,--follow?=_ -F -q,--quiet,--silent -v,--verbose -z,--zero-terminated -r -b=_ --retry --debug", Args: "r*", Do: doCat},
	{Names: "sort gsort", Opts: "-o,--output=w --compress-program=P --files0-from=r --random-source=_ -k,--key=_ -t,--field-separator=_ -T,--temporary-directory=_ -S,--buffer-size=_ --batch-size=_ --parallel=_ --sort=_ -b,--ignore-leading-blanks -d,--dictionary-order -f,--ignore-case -g,--general-numeric-sort -i,--ignore-nonprinting -M,--month-sort -h,--human-numeric-sort -n,--numeric-sort -R,--random-sort -r,--reverse -V,--version-sort -c,--check -C -m,--merge -s,--stable -u,--unique -z,--zero-terminated --debug", Args: "r*", Do: doSortLike},
	{Names: "comm gcomm", Opts: "--output-delimiter=_ -1 -2 -3 -i --check-order --nocheck-order --total -z,--zero-terminated", Args: "r*", Do: doSortLike},
	{Names: "join gjoin", Opts: "-a=_ -e=_ -j=_ -o=_ -t=_ -v=_ -1=_ -2=_ -i,--ignore-case --check-order --nocheck-order --header -z,--zero-terminated", Args: "r*", Do: doSortLike},
	{Names: "fmt gfmt", Opts: "-w,--width=_ -g,--goal=_ -p,--prefix=_ -c,--crown-margin -s,--split-only -t,--tagged-paragraph -u,--uniform-spacing", Args: "r*", Do: doSortLike},
	{Names: "expand gexpand", Opts: "-t,--tabs=_ -i,--initial", Args: "r*", Do: doSortLike},
	{Names: "unexpand gunexpand", Opts: "-t,--tabs=_ -a,--all --first-only", Args: "r*", Do: doSortLike},
	{Names: "pr gpr", Opts: "-D,--date-format=_ -e,--expand-tabs?=_ -h,--header=_ -i,--output-tabs?=_ -l,--length=_ -n,--number-lines?=_ -N,--first-line-number=_ -o,--indent=_ -s,--separator?=_ -S,--sep-string?=_ -w,--width=_ -W,--page-width=_ -a,--across -c,--show-control-chars -d,--double-space -f,-F,--form-feed -J,--join-lines -m,--merge -r,--no-file-warnings -t,--omit-header -T,--omit-pagination -v,--show-nonprinting --columns=_ --pages=_", Args: "r*", Do: doSortLike},
	{Names: "nkf", Opts: "-j -s -e -w -J -S -E -W -m -u -t -g -d -c -l -Z -x -b --guess", Args: "r*", Do: doSortLike},
	{Names: "iconv", Opts: "-f,--from-code=_ -t,--to-code=_ -o,--output=w -c -l,--list -s,--silent --verbose", Args: "r*", Do: doSortLike},
	{Names: "dos2unix unix2dos mac2unix unix2mac", Opts: "-c,--convmode=_ -i,--info?=_ -D,--display-enc=_ -ascii -iso -437 -850 -b,--keep-bom -e,--add-eol -f,--force -F,--follow-symlink -k,--keepdate -l,--newline -m,--add-bom -n,--newfile -N -o,--oldfile -q,--quiet -r,--remove-bom -R,--replace-symlink -s,--safe -S,--skip-symlink -u,--keep-utf16 -v,--verbose", Args: "o*"},
	{Names: "look", Opts: "-t,--terminate=_ -a,--alternative -d,--alphanum -f,--ignore-case", Args: "_ r", Do: doSortLike},
	{Names: "tsort gtsort", Opts: "-w", Args: "r*", Do: doSortLike},
	{Names: "ptx gptx", Opts: "-F,--flag-truncation=_ -M,--macro-name=_ -S,--sentence-regexp=_ -W,--word-regexp=_ -b,--break-file=r -g,--gap-size=_ -i,--ignore-file=r -o,--only-file=r -w,--width=_ -A,--auto-reference -G,--traditional -O -R,--right-side-refs -T -f,--ignore-case -r,--references -t", Args: "r*", Do: doSortLike},
	{Names: "numfmt gnumfmt", Opts: "-d,--delimiter=_ --field=_ --format=_ --from=_ --from-unit=_ --invalid=_ --padding=_ --round=_ --suffix=_ --to=_ --to-unit=_ --header?=_ -z,--zero-terminated --debug --grouping", Do: doSortLike},
	{Names: "factor gfactor", Opts: "-h,--exponents", Do: doSortLike},
	{Names: "uniq guniq", Opts: "-f,--skip-fields=_ -s,--skip-chars=_ -w,--check-chars=_ -c,--count -d,--repeated -D --all-repeated?=_ --group?=_ -i,--ignore-case -u,--unique -z,--zero-terminated", Args: "r w", Do: doSortLike},
	{Names: "column", Opts: "-s,--separator=_ -o,--output-separator=_ -c,--output-width=_ -C,--table-column=_ -N,--table-columns=_ -l,--table-columns-limit=_ -R,--table-right=_ -H,--table-hide=_ -W,--table-wrap=_ -O,--table-order=_ -E,--table-noextreme=_ -T,--table-truncate=_ -n,--table-name=_ -r,--tree=_ -i,--tree-id=_ -p,--tree-parent=_ -t,--table -J,--json -d,--table-noheadings -e,--table-header-repeat -x,--fillrows -L,--keep-empty-lines -m,--table-maxout", Args: "r*"},
	{Names: "paste gpaste", Opts: "-d,--delimiters=_ -s,--serial -z,--zero-terminated", Args: "r*", Do: doSortLike},
	{Names: "fold gfold", Opts: "-w,--width=_ -b,--bytes -s,--spaces -c,--characters", Args: "r*", Do: doSortLike},
	{Names: "cut gcut", Opts: "-d,--delimiter=_ -f,--fields=_ -c,--characters=_ -b,--bytes=_ --output-delimiter=_ -n -s,--only-delimited --complement -z,--zero-terminated -w", Do: doCut},
	{Names: "tr gtr", Opts: "-d,--delete -s,--squeeze-repeats -c,-C,--complement -t,--truncate-set1", Do: doTr},
	{Names: "rev", Opts: "-0,--zero", Args: "r*", Do: doRev},
}

var tunnelModels = []Model{
	{Names: "ngrok", Opts: "--config=_ --region=_ --domain,--hostname=_ --subdomain=_ --log=_ --authtoken=_ --url=_", Do: doTunnel},
	{Names: "cloudflared", Opts: "--config=_ --url=_ --name=_ --hostname=_ --token=_ --unix-socket=_ --logfile=w --credentials-file=_", Do: doTunnel},
	{Names: "localtunnel lt frps gost pagekite tailscale tailscaled expose telebit serveo portmap rathole nps npc ligolo-ng ligolo dnscat dnscat2 ptunnel stunnel sish holesail hypertele gsocket gs-netcat pinggy localhost.run wiretap", Opts: "-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_", Do: doTunnel},
	{Names: "localxpose loclx bore frpc chisel zrok inlets boringproxy devtunnel", Opts: "-p,--port=_ -s,--subdomain=_ -h,--host=_ -l,--local-host=_ -c,--config=_", Style: HelpWord, Do: doTunnel},
	{Names: "iodine", Opts: "-p=_ -h+inert -l=_ -I=_ -M=_ -O=_ -P=_ -R=_ -T=_ -b=_ -i=_ -m=_ -u=_ -z=_ -F=w -t=D", Do: doTunnel},
	{Names: "tmate teleconsole sshx ttyd gotty wetty shellinabox sshuttle-server", Opts: "-p,--port=_ -i,--interface=_ -c,--credential=_", Do: doShareTerminal},
	{Names: "upterm", Opts: "-p,--port=_ -i,--interface=_ -c,--credential=_", Style: HelpWord, Do: doShareTerminal},
	{Names: "sshuttle", Opts: "-r,--remote=h -e,--ssh-cmd=P -x,--exclude=_ -X,--exclude-from=r -s,--subnets=r --pidfile=w"},
}

var virtualMachineModels = []Model{
	{Names: "virsh", Opts: "-c,--connect=_ --domain=_ -d,--debug=_ -e,--escape=_ -k,--keepalive-interval=_ -K,--keepalive-count=_ -l,--log=w -q,--quiet -r,--readonly -t,--timing -v -V", Do: doCloud},
	{Names: "qm", Opts: "--purge --destroy-unreferenced-disks --skiplock --full --name=_ --storage=_ --target=_ --timeout=_ --overrule-shutdown --vmstate --description=_ --memory=_ --cores=_ --net0=_ --format=_ --online --newid=_", Do: doCloud},
	{Names: "pct", Opts: "--purge --force --destroy-unreferenced-disks --hostname=_ --storage=_ --target=_ --rootfs=_ --password=_ --ssh-public-keys=r --memory=_ --cores=_ --net0=_ --full --restart --unprivileged --ostype=_ --timeout=_ --keep-env", Do: doCloud},
	{Names: "pvesm", Opts: "--content=_ --nodes=_ --server=_ --export=_ --path=_ --pool=_ --username=_ --password=_ --vgname=_ --disable --shared --vmid=_ --size --options=_ --storage=_ --target=_", Do: doCloud},
	{Names: "pvecm", Opts: "--link0=_ --link1=_ --nodeid=_ --votes=_ --use_ssh --force --fingerprint=_", Sub: []Model{
		{Names: "delnode", Effects: 2},
	}, Do: doCloud},
	{Names: "pveum", Opts: "--password=_ --comment=_ --email=_ --enable --expire=_ --groups=_ --privs=_ --roles=_ --users=_ --tokens=_ --privsep --output-format=_ --propagate", Do: doCloud},
	{Names: "vzctl", Opts: "--quiet --verbose --skiplock --ostemplate=_ --config=_ --private=t --root=t --ipadd=_ --ipdel=_ --hostname=_ --nameserver=_ --userpasswd=_ --save --fast", Do: doCloud},
	{Names: "lxc incus", Opts: "--project=_ -c,--config=_ -p,--profile=_ -s,--storage=_ -n,--network=_", Do: doLXC},
	{Names: "multipass lima orb", Opts: "--working-directory,-d=_ --workdir=_ --shell=_ -c,--cpus=_ -m,--memory=_ --name=_ --disk=_ --network=_ --cloud-init=r --mount=_ --bridged --timeout=_ --purge,-p --all --format=_ --force --type=_", Do: doLXC},
	{Names: "limactl", Opts: "--log-level=_ --log-format=_ --debug --tty,-y,--yes -f,--force -q,--quiet --json --format=_ --name=_ --cpus=_ --memory=_ --disk=_ --arch=_ --vm-type=_ --mount=_ --mount-type=_ --network=_ --set=_ --containerd=_ --dns=_ --preserve-env --start --shell=_ --workdir=_ -r,--recursive --timeout=_", Do: doLXC},
	{Names: "colima", Opts: "-p,--profile=_ -c,--cpu=_ -m,--memory=_ -d,--disk=_ -a,--arch=_ -r,--runtime=_ -t,--vm-type=_ -k,--kubernetes --kubernetes-version=_ --network-address --mount=_ --mount-type=_ --dns=_ --env=_ -e,--edit --editor=P --force,-f --data --verbose --very-verbose --foreground --hostname=_ --ssh-agent --rosetta --json", Do: doLXC},
	{Names: "VBoxManage vboxmanage", Opts: "-q,--nologo --delete,-delete --delete-all --type=_ --name=_ --basefolder=t --register --uuid=_ --hostname=_ --output,-o=w --username=_ --password=_ --passwordfile=r --exe=_ --timeout=_ --live --format=_ --size=_ --filename=w --storagectl=_ --port=_ --device=_ --medium=_ --vsys=_", Sub: []Model{
		{Names: "unregistervm", Effects: 2},
	}, Do: doCloud},
	{Names: "vmrun", Opts: "-T=_ -gu=_ -gp=_ -h=_ -u=_ -p=_ -vp=_ -P=_ -noWait -activeWindow -interactive", Style: LongDash, Do: doCloud},
	{Names: "prlctl", Opts: "-a,--all -o,--output=_ -s,--sort=_ -j,--json -f,--full -i,--info --kill --fast --name=_ --id=_ --skip-children --ostype=_ --distribution=_ --ostemplate=_ --location=_ --drop-state", Do: doCloud},
	{Names: "utmctl", Opts: "--hide -d,--debug --disposable --force --kill --request --cmd=C --env=_ -u -o", Do: doCloud},
	{Names: "tart", Opts: "--no-graphics --from-ipsw=_ --linux --disk-size=_ --memory=_ --cpu=_ --display=_ --dir=_ --net-bridged=_ --net-softnet --vnc --insecure --concurrency=_ --wait=_ --timeout=_ --format=_ --source=_ --older-than=_ --space-budget=_ --entries=_", Do: doCloud},
}

var watchModels = []Model{
	{Names: "watch", Opts: "-n,--interval=_ -b,--beep -c,--color -C,--no-color -e,--errexit -g,--chgexit -p,--precise -t,--no-title -w,--no-wrap -r,--no-rerun -d,--differences?=_ -q,--equexit=_ -x,--exec -s,--shotsdir=_", Style: Strict, Do: doWatch},
	{Names: "viddy", Opts: "-b,--bell -d,--differences -n,--interval=_ -p,--precise -c,--clockwork -t,--no-title -s,--skip-empty-diffs --shell=P --shell-options=_ -x,--exec --pty --unfold --disable_mouse --save=w --load=r", Style: Strict, Do: doWatch},
	{Names: "hwatch", Opts: "-b,--batch -B,--beep -c,--color -r,--reverse -C,--compress -t,--no-title -N,--line-number --no-help-banner -x,--exec -O,--diff-output-only -A,--aftercommand=c -l,--logfile=w -s,--shell=P -n,--interval=_ -L,--limit=_ --tab-size=_ -d,--differences?=_ -o,--output=_ -K,--keymap=_", Style: Strict, Do: doWatch},
	{Names: "entr", Opts: "-a -c -d -n -p -r -s -x -z", Style: Strict, Do: doEntr},
	{Names: "watchexec", Opts: "-w,--watch=_ -e,--exts=_ -f,--filter=_ -i,--ignore=_ -s,--signal=_ -d,--debounce=_ --shell=_ -n --project-origin=_ --workdir=_ -E,--env=_ --stop-signal=_ --on-busy-update,-o=_ -W,--watch-non-recursive=_ -F,--watch-file=r -c,--clear?=_ -r,--restart --only-emit-events --emit-events-to=_ --stop-timeout=_ --timeout=_ --poll?=_ --stdin-quit -I,--no-vcs-ignore --no-project-ignore --no-global-ignore --no-default-ignore --no-discover-ignore --ignore-nothing -p,--postpone --delay-run=_ --no-meta --no-process-group --wrap-process=_ -N,--notify --color=_ --timings -q,--quiet --bell --filter-file=r --ignore-file=r --fs-events=_ --print-events -v,--verbose --log-file?=w --once -1 -j,--filter-prog=_", Style: Strict, Do: doWatchexec},
	{Names: "hyperfine", Opts: "-w,--warmup=_ -m,--min-runs=_ -M,--max-runs=_ -r,--runs=_ -s,--setup=c -p,--prepare=c -c,--cleanup=c -C,--conclude=c -P,--parameter-scan=_ -D,--parameter-step-size=_ -L,--parameter-list=_ -S,--shell=c -u,--time-unit=_ --style=_ --sort=_ --export-json=w --export-csv=w --export-markdown=w --export-asciidoc=w --export-orgmode=w -n,--command-name=_ --output=_ --input=_ -N -i,--ignore-failure --show-output --min-benchmarking-time=_ --reference=c --reference-name=_", Args: "c*"},
	{Names: "flock", Opts: "-e,-x,--exclusive -s,--shared -n,--nb,--nonblock -u,--unlock -o,--close -F,--no-fork --verbose -w,--wait,--timeout=_ -E,--conflict-exit-code=_ -c,--command=c", Style: Strict, Do: doFlock},
	{Names: "lckdo", Opts: "-w -W=_ -e -E=_ -s -x -q", Args: "_ C", Style: Strict | Strict},
	{Names: "setlock", Opts: "-n -N -x -X -d", Args: "_ C", Style: Strict | Strict},
	{Names: "retry", Opts: "-t,--times,--max-tries,-r=_ -d,--delay,-m,--min=_ -x,--max,--until,--while=_", Args: "C", Style: Strict | Strict},
}

var windowsModels = []Model{
	{Names: "diskshadow", Style: Windows | CaseFold, Do: doShadow},
	{Names: "bootrec bcdboot bootcfg reagentc", Style: Windows | CaseFold, Do: doBootConfig},
	{Names: "auditpol", Style: Windows | CaseFold, Do: doAuditpol},
	{Names: "fsutil", Style: Windows | CaseFold, Do: doFsutil},
	{Names: "cipher", Opts: "/w?=_", Style: Windows | CaseFold, Do: doCipher},
	{Names: "diskpart", Opts: "/s=_", Style: Windows | CaseFold, Do: doDiskpart},
	{Names: "schtasks at.exe", Opts: "/create /delete /change /run /tn=_ /tr=c /sc=_ /st=_ /ru=_ /rp=_ /s=_ /u=_ /p=_ /xml=_", Style: Windows | CaseFold, Do: doSchtasks},
	{Names: "sc sc.exe", Style: NoOptions, Do: doSc},
	{Names: "net net1", Style: NoInert | Windows | CaseFold, Do: doNet},
	{Names: "netsh", Style: NoOptions, Do: doNetsh},
	{Names: "reg", Opts: "/v=_ /t=_ /d=_ /f+force /va /ve", Style: Windows | CaseFold, Do: doReg},
	{Names: "regedit", Opts: "/s", Style: Windows | CaseFold, Do: doRegedit},
	{Names: "takeown", Opts: "/f=_ /r+recursive /d=_ /a", Style: Windows | CaseFold, Do: doTakeown},
	{Names: "icacls cacls xcacls", Opts: "/t+recursive /grant=_ /deny=_ /setowner=_ /reset /inheritance=_ /q /c /g=_ /e /p=_ /remove=_", Style: Windows | CaseFold, Do: doIcacls},
	{Names: "attrib logoff", Style: Windows | CaseFold},
	{Names: "robocopy", Opts: "/mir /purge /move /mov /l+inert /xf=_ /xd=_ /log=w", Style: Windows | CaseFold, Do: doRobocopy},
	{Names: "certutil", Opts: "-urlcache -split -f -decode -encode -decodehex -verifyctl -ping -hashfile -addstore -delstore", Style: LongDash | CaseFold, Do: doCertutil},
	{Names: "bitsadmin", Style: Windows | CaseFold, Do: doBitsadmin},
	{Names: "mshta", Style: CaseFold, Do: doMshta},
	{Names: "regsvr32 rundll32 installutil msbuild regasm regsvcs odbcconf cmstp control presentationhost", Style: NoOptions | CaseFold, Do: doProxyExec},
	{Names: "msiexec", Opts: "/i,/package=_ /x=_ /q /qn", Style: Windows | CaseFold, Do: doMsiexec},
	{Names: "wscript cscript", Style: Windows | CaseFold, Do: doWscript},
	{Names: "wmic", Style: NoOptions | CaseFold, Do: doWmic},
	{Names: "forfiles", Opts: "/p=_ /m=_ /c=_ /d=_ /s", Style: Windows | CaseFold, Do: doForfiles},
	{Names: "psexec psexec64 paexec", Style: NoOptions | CaseFold, Do: doPsexec},
	{Names: "runas", Opts: "/user=_ /savecred /env /netonly /profile /noprofile", Style: Windows | CaseFold, Do: doRunas},
	{Names: "cmdkey vaultcmd", Style: Windows | CaseFold, Do: doCmdkey},
	{Names: "setx", Opts: "/m", Style: Windows | CaseFold, Do: doSetx},
	{Names: "esentutl ntdsutil", Style: NoOptions | CaseFold, Do: doHiveDump},
	{Names: "conhost forfiles.exe pcalua bash.exe scriptrunner", Style: NoOptions | CaseFold, Do: doDoAsProxy},
}
