package policy

import "github.com/umpire-dev/umpire"

// losses lists places and traits by gravity, the gravest loss first. Among reasons with the same
// effect, the gravest is shown first, because a person reads the first line.
var losses = []struct {
	places umpire.Place
	traits umpire.Trait
}{
	{places: umpire.PlaceRoot},
	{places: umpire.PlaceDevice, traits: umpire.Format},
	{places: umpire.PlaceHome},
	{places: umpire.PlaceUmpire, traits: umpire.SelfTamper | umpire.AuditTamper},
	{traits: umpire.RemoteShell},
	{traits: umpire.Exfiltration},
	{places: umpire.PlaceCredentials | umpire.PlaceAccounts | umpire.PlaceLogin},
	{traits: umpire.RemoteCode | umpire.DecodedCode},
	{traits: umpire.Destroy | umpire.DataStore | umpire.Production | umpire.NoWhere},
	{places: umpire.PlaceSystemTop | umpire.PlaceBoot | umpire.PlaceLoader},
	{places: umpire.PlaceSystem},
	{places: umpire.PlaceParent | umpire.PlaceWorkspace},
	{traits: umpire.Payment | umpire.PublicAccess | umpire.HostAccess},
	{places: umpire.PlaceGitDir, traits: umpire.Irreversible | umpire.Uncommitted | umpire.ProtectedBranch},
	{places: umpire.PlacePrivate | umpire.PlaceEnvFile, traits: umpire.CarriesSecret | umpire.EnvDump},
	{places: umpire.PlaceAgentConfig | umpire.PlaceMCP | umpire.PlaceJobs | umpire.PlaceStartup | umpire.PlaceGitHooks, traits: umpire.Persistence | umpire.BypassFlags},
	{traits: umpire.ResourceBomb | umpire.WorldWritable | umpire.Setuid | umpire.Bulk},
	{traits: umpire.Privilege},
}

// gravity returns the gravity of the loss that a rule and its operation could cause. Zero means
// that neither is in the list.
func gravity(places umpire.Place, traits umpire.Trait) int {
	if places == 0 && traits == 0 {
		return 0
	}
	for i, l := range losses {
		if places&l.places != 0 || traits&l.traits != 0 {
			return len(losses) - i
		}
	}
	return 0
}

// names returns the places and traits of an operation that an alternative names.
func (a *alt) names(op *umpire.Operation) (umpire.Place, umpire.Trait) {
	switch a.form {
	case formPlace:
		return umpire.Place(a.with) & op.Places, 0
	case formTrait:
		return 0, umpire.Trait(a.with) & op.Traits
	}
	return 0, 0
}
