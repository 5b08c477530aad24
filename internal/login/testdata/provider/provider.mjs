// A real OpenID Connect provider for tests. It reads what it has to know as one line from
// its input, {issuer, key, clients, users, lean}, prints its port, and ends with its input.
import http from "node:http";
import readline from "node:readline";

import { Provider } from "oidc-provider";

const input = readline.createInterface({ input: process.stdin });
input.once("close", () => process.exit());
const { issuer, key, clients, users, lean } = JSON.parse(await new Promise((resolve) => input.once("line", resolve)));

const provider = new Provider(issuer, {
  clients,
  jwks: { keys: [key] },
  cookies: { keys: ["for tests"] },
  pkce: { required: () => true },
  conformIdTokenClaims: lean, // if so the claims are told to who asks for them with the access token
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups", "realm_access"] },
  ttl: { AccessToken: 600, IdToken: 600, AuthorizationCode: 60, Session: 3600, Grant: 3600, Interaction: 600 },
  findAccount: (_, id) => (users[id] ? { accountId: id, claims: () => ({ ...users[id], sub: id }) } : undefined),
  async loadExistingGrant(ctx) {
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope("openid email profile groups");
    await grant.save();
    return grant;
  },
});

const server = http.createServer(provider.callback());
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
