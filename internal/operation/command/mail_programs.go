// Code generated from programs/mail.yaml by make generate. DO NOT EDIT.

//go:build !bootstrap

package command

var mailModels = []Model{
	{Names: "mail mailx Mail s-nail heirloom-mailx bsd-mailx", Opts: "-s=_ -a,--attach=_ -A=_ -b=_ -c=_ -r=_ -S=_ -u=_ -f=_ -q=_ -E=_", Do: doMail},
	{Names: "mutt neomutt", Opts: "-a=_ -s=_ -b=_ -c=_ -e=_ -F=_ -H=_ -i=_ -f=_", Do: doMutt},
	{Names: "sendmail ssmtp msmtp exim exim4 postfix-sendmail esmtp nullmailer-inject", Opts: "-f=_ -F=_ -o=_ -a,--account=_ -C=_ --host=h --from=_ -X=w", Do: doMail},
	{Names: "swaks sendemail sendEmail mailsend smtp-cli git-send-email mpack himalaya-send", Opts: "--to,-t=_ --from,-f=_ --server,-s=_ --body=_ --attach,-a=_ --header=_ --data=_ -u=_ -m=_ -xu=_ -xp=_ -o=_ --h-Subject=_", Style: LongDash, Do: doMailTool},
	{Names: "slackcat slack-cli telegram-send discordo matrix-commander signal-cli ntfy pushover noti-send tweet toot t bsky himalaya apprise wall write", Opts: "-c,--channel=_ -t,--title=_ -f,--file=_ -F=_ -u=_ -a=_ -m=_", Do: doSay},
}
