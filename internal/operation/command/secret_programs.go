// Code generated from programs/secret.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var secretModels = []Model{
	{Names: "printenv gprintenv", Do: doPrintenv},
	{Names: "gpg gpg2 gpg1", Opts: "-o,--output=_ -r,--recipient=_ -u,--local-user=_ --homedir=_ --passphrase=_ --passphrase-file=_ --passphrase-fd=_ --batch --yes --pinentry-mode=_ --keyserver=_ --recv-keys --default-key=_ --status-fd=_ --keyring=_ --trust-model=_ --cipher-algo=_ --options=_ -n,--dry-run+inert", Style: HelpH, Do: doGpg},
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
	{Names: "age-keygen rage-keygen minisign", Opts: "-o,--output=_ -s=_ -p=_ -y -G -f -pq", Do: doKeygen},
	{Names: "mimikatz lazagne laZagne.py secretsdump.py impacket-secretsdump hashdump pypykatz gsecdump creddump chromepass hindsight dploot", Do: doStealer},
	{Names: "pbpaste xclip xsel wl-paste clip.exe powershell-clip", Opts: "-selection,-sel,-se=_ -o,-out -i,-in=_ -t,-target=_", Style: LongDash, Do: doClipboard},
	{Names: "openssl libressl", Opts: "-in=_ -out=_ -keyout=_ -key=_ -inkey=_ -connect=_ -proxy=_ -host=_ -port=_ -servername=_ -cert=_ -pass=_ -passin=_ -passout=_ -k=_ -K=_ -iv=_ -kfile=_ -S=_ -md=_ -iter=_ -config=_ -engine=_ -provider=_ -provider-path=_ -CAfile=_ -CApath=_ -CA=_ -CAkey=_ -days=_ -subj=_ -newkey=_ -extensions=_ -inform=_ -outform=_ -certfile=_ -accept=_ -sign=_ -verify=_ -signature=_ -url=_ -issuer=_ -algorithm=_ -pkeyopt=_ -rand=_ -writerand=w -name=_ -addext=_ -extfile=_ -starttls=_ -cipher=_ -curves=_ -hmac=_ -mac=_", Style: LongDash, Do: doOpenssl},
	{Names: "b64decode", Opts: "-o,--output-file=w", Do: doDecodeFile},
	{Names: "rot13 caesar ascii85 base58 base16 base85 qprint ccrypt ccdecrypt steghide outguess", Opts: "-K=_ -k=_ -p=_ -sf=r -cf=r -ef=r -xf=w", Do: doDecodeFile},
}
