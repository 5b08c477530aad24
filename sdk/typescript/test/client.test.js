import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";

import { Client, Denied, Fault, Late } from "../index.js";
import * as api from "../index.js";
import { Gateway } from "./gateway.js";

/** @type {Gateway} */
let gw;
/** @type {Client} */
let client;

before(async () => {
  gw = await Gateway.start();
  client = new Client({ url: gw.url, token: gw.token, session: "run-1" });
});
after(() => gw?.stop());

/** Has a promise that is awaited later not count as forgotten. */
function later(promise) {
  promise.catch(() => {});
  return promise;
}

test("rules answer at once", async () => {
  const yes = await client.requestNetwork("CONNECT", "good.example:443");
  assert.equal(yes.status, "approved");
  await assert.rejects(client.requestNetwork("GET", "https://bad.example/x"), (err) => err instanceof Denied && err.status === "denied" && /bad\.example/.test(err.message));
});

test("a person answers, and their note arrives", async () => {
  const asked = later(client.requestPermission("exec", "make release", { reason: "to ship" }));
  const seen = await gw.answer("approve", "--note", "only today");
  assert.equal(seen.reason, "to ship");
  assert.equal(seen.session, "run-1");
  assert.deepEqual({ ...(await asked) }.note, "only today");

  const no = later(client.requestPermission("exec", "make gone"));
  await gw.answer("deny", "--note", "not on a Friday");
  await assert.rejects(no, (err) => err instanceof Denied && err.note === "not on a Friday" && err.status === "denied");
});

test("a command runs when it is approved", async () => {
  assert.deepEqual(await client.requestExec("echo hi"), { stdout: "hi\n", stderr: "", exitCode: 0 });
  const asked = later(client.requestExec("cat; ls nothing; exit 3", { cwd: ".", timeout: 20_000 }));
  await gw.answer("approve");
  const got = await asked;
  assert.equal(got.exitCode, 3);
  assert.match(got.stderr, /nothing/);
});

test("packages are asked for by name", async () => {
  const asked = later(client.requestPackageInstall("npm", ["left-pad"], { reason: "to pad" }));
  assert.equal((await gw.answer("deny")).action, "npm install left-pad");
  await assert.rejects(asked, Denied);
  await assert.rejects(client.requestPackageInstall("npm", ["--registry=http://evil.example"]), (err) => err instanceof Fault && err.status === 400);
});

test("a write is made when it is approved", async () => {
  const no = later(client.requestWrite("src/no.txt", "hello\n", { reason: "to greet" }));
  const asked = await gw.answer("deny");
  assert.equal(asked.category, "filesystem");
  assert.match(asked.action, /src\/no\.txt/);
  await assert.rejects(no, Denied);

  const yes = later(client.requestWrite("src/a.txt", "hello\n"));
  await gw.answer("approve");
  assert.equal((await yes).status, "approved");
  assert.equal(await readFile(path.join(gw.root, "src/a.txt"), "utf8"), "hello\n");

  const set = later(client.requestChanges([{ op: "write", path: "src/b.bin", base64: "AP8=" }, { op: "move", from: "src/a.txt", path: "src/c.txt" }]));
  await gw.answer("approve");
  await set;
  assert.deepEqual([...(await readFile(path.join(gw.root, "src/b.bin")))], [0, 255]);
  assert.equal(await readFile(path.join(gw.root, "src/c.txt"), "utf8"), "hello\n");

  const late = later(client.requestWrite("src/c.txt", "theirs\n"));
  await gw.question();
  await writeFile(path.join(gw.root, "src/c.txt"), "mine\n");
  await assert.rejects(gw.answer("approve"), /changed after the request/);
  await assert.rejects(late, (err) => err instanceof Denied && err.status === "conflict");
  assert.equal(await readFile(path.join(gw.root, "src/c.txt"), "utf8"), "mine\n");

  const escape = client.requestWrite("../../etc/passwd", "x");
  await assert.rejects(escape, (err) => (err instanceof Fault && err.status === 400) || err instanceof Denied);
});

test("a push reaches the remote when it is approved", async () => {
  const dir = path.join(gw.home, "work");
  await gw.git("init", "-q", "-b", "main", dir);
  const commit = async (text) => {
    await writeFile(path.join(dir, "a.txt"), text);
    await gw.git("-C", dir, "add", "a.txt");
    await gw.git("-C", dir, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", text);
    return (await gw.git("-C", dir, "rev-parse", "HEAD")).trim();
  };
  const first = await commit("one");
  const yes = later(client.requestPush("main", { dir, reason: "it is done" }));
  const asked = await gw.answer("approve");
  assert.equal(asked.category, "git");
  assert.equal(asked.reason, "it is done");
  assert.equal((await yes).status, "approved");
  assert.equal((await gw.git("-C", gw.remote, "rev-parse", "main")).trim(), first);
  assert.equal((await client.requestPush("main", { dir })).status, "approved", "the remote has it already");

  await commit("two");
  const no = later(client.requestPush("main", { dir }));
  await gw.answer("deny", "--note", "not on a Friday");
  await assert.rejects(no, (err) => err instanceof Denied && err.note === "not on a Friday");
  assert.equal((await gw.git("-C", gw.remote, "rev-parse", "main")).trim(), first);
  await assert.rejects(client.requestPush("none", { dir }), (err) => /git push/.test(err.message) && !err.message.includes(gw.token));
});

test("a change of the configuration is asked for", async () => {
  const asked = later(client.requestConfigChange("categories.network.mode", "allow-all", { reason: "it takes long" }));
  const seen = await gw.answer("deny");
  assert.equal(seen.category, "sandbox");
  await assert.rejects(asked, Denied);
});

test("check asks nobody", async () => {
  assert.equal(await client.check("network", "CONNECT good.example:443"), "allow");
  assert.equal(await client.check("network", "CONNECT bad.example:443"), "deny");
  assert.equal(await client.check("exec", "make"), "ask");
  assert.deepEqual(await client.pending(), []);
});

test("the same key is the same request", async () => {
  const first = await client.submit("exec", "make twice", { key: "k" });
  const second = await client.submit("exec", "make twice", { key: "k" });
  assert.equal(first.id, second.id);
  assert.deepEqual((await client.pending()).map((a) => a.id), [first.id]);
  assert.equal(await client.cancel(first.id), true);
  assert.equal(await client.cancel(first.id), false);
  await assert.rejects(client.wait(first.id), (err) => err instanceof Denied && err.status === "cancelled");
});

test("who aborts takes the request back", async () => {
  const stop = new AbortController();
  const asked = later(client.requestExec("make aborted", { signal: stop.signal }));
  const seen = await gw.question();
  stop.abort(new Error("the user pressed stop"));
  await assert.rejects(asked, /the user pressed stop/);
  assert.equal((await gw.show(seen.id)).status, "cancelled");
});

test("a deadline takes the request back", async () => {
  let id;
  const hurried = new Client({
    url: gw.url,
    token: gw.token,
    fetch: async (input, init) => {
      const res = await fetch(input, init);
      if (init.method === "POST") {
        id = (await res.clone().json()).id;
      }
      return res;
    },
  });
  await assert.rejects(hurried.requestPermission("exec", "make late", { deadline: 500 }), (err) => err instanceof Late && err.name === "TimeoutError" && err.cause === undefined);
  assert.equal((await gw.show(id)).status, "cancelled");
});

test("a deadline in the middle of an attempt tells why the one before failed", async () => {
  let n = 0;
  const away = new Client({
    url: gw.url,
    token: gw.token,
    fetch: (input, init) => (n++ === 0 ? Promise.reject(new Error("away")) : new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)))),
  });
  await assert.rejects(away.check("exec", "make", { deadline: 1000 }), (err) => err instanceof Late && err.cause?.message === "away");
});

test("a signal that is over asks nothing", async () => {
  await assert.rejects(client.requestExec("make never", { signal: AbortSignal.abort(new Error("over")) }), /over/);
  assert.deepEqual(await gw.waiting(), []);
});

test("who aborts while the request is on its way leaves no question behind", async () => {
  const stop = new AbortController();
  let got;
  const slow = new Client({
    url: gw.url,
    token: gw.token,
    fetch: async (input, init) => {
      const res = await fetch(input, init);
      if (init.method === "POST") {
        got = (await res.clone().json()).id;
        stop.abort(new Error("gone")); // the gateway has it, the client does not know yet
      }
      return res;
    },
  });
  await assert.rejects(slow.requestPermission("exec", "make lost", { signal: stop.signal }), /gone/);
  assert.equal((await gw.show(got)).status, "cancelled");
});

test("a gateway that is killed is waited for, and the question stays one", async () => {
  const asked = later(client.requestExec("make restart || echo restarted"));
  const seen = await gw.question();
  await gw.kill();
  await gw.up();
  await gw.settle("approve", seen.id);
  assert.match((await asked).stdout, /restarted\n$/);
});

test("a request made while the gateway is away is made when it is back", async () => {
  await gw.kill();
  const asked = later(client.requestPermission("exec", "make later"));
  const late = later(client.requestPermission("exec", "make never", { deadline: 400 }));
  await assert.rejects(late, (err) => err instanceof Late && err.cause instanceof Error, "why it could not be asked");
  await gw.up();
  const seen = await gw.answer("approve");
  assert.equal(seen.action, "make later");
  assert.equal((await asked).status, "approved");
  assert.deepEqual(await gw.waiting(), []);
});

test("where one gateway is away, the next is asked", async () => {
  const both = new Client({ url: `http://127.0.0.1:1, ${gw.url}/`, token: gw.token });
  const asked = later(both.requestPermission("exec", "make elsewhere"));
  await gw.answer("approve");
  assert.equal((await asked).status, "approved");
});

test("faults have a status and a hint, and no token", async () => {
  const stranger = new Client({ url: gw.url, token: "umpa_wrong" });
  await assert.rejects(stranger.check("exec", "make"), (err) => err instanceof Fault && err.status === 401 && /umpire token add/.test(err.hint) && !err.message.includes("umpa_wrong"));
  const operator = new Client({ url: gw.url, token: (await readFile(path.join(gw.home, ".local/state/umpire/operator.token"), "utf8")).trim() });
  await assert.rejects(operator.submit("exec", "make"), (err) => err instanceof Fault && err.status >= 400 && err.status < 500);
  await assert.rejects(client.requestNetwork("CONNECT", "no port"), (err) => err instanceof Fault && err.status === 400 && err.hint === undefined);
  await assert.rejects(client.wait("req-99999"), (err) => err instanceof Fault && err.status === 404);
  assert.throws(() => new Client({ url: "localhost:3700" }), /is not the address/);
  assert.throws(() => new Client({ token: "a\nb" }), (err) => err instanceof TypeError && !err.message.includes("a\nb"));
});

test("the token follows no redirect, and answers are bounded", async () => {
  const seen = [];
  const server = http.createServer((req, res) => {
    seen.push(req.url);
    if (req.url.startsWith("/api/check")) {
      res.writeHead(302, { location: `http://${req.headers.host}/stolen` }).end();
    } else if (req.method === "DELETE") {
      res.end("<html>");
    } else {
      res.writeHead(200);
      const chunk = Buffer.alloc(1 << 20, 32);
      const more = () => {
        while (!res.destroyed && res.write(chunk));
      };
      res.on("drain", more);
      more();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const other = new Client({ url: `http://127.0.0.1:${server.address().port}`, token: "umpa_x" });
    await assert.rejects(other.check("exec", "make"), (err) => err instanceof Fault && err.status === 302);
    await assert.rejects(other.cancel("x"), (err) => err instanceof Fault && /no JSON/.test(err.message));
    await assert.rejects(other.pending(), (err) => err instanceof Fault && /too large/.test(err.message));
    assert.equal(seen.includes("/stolen"), false);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
});

test("the functions take their gateway from the environment", async () => {
  const { UMPIRE_AGENT_TOKEN } = process.env;
  const { execFile } = await import("node:child_process");
  const { promisify } = await import("node:util");
  const script = `import { check, requestExec, requestNetwork } from ${JSON.stringify(new URL("../index.js", import.meta.url).href)};
    console.log(await check("exec", "make"), (await requestExec("echo env")).stdout.trim(), (await requestNetwork("CONNECT", "good.example:443")).status);`;
  for (const name of ["UMPIRE_API", "SANDBOX_API"]) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env: { [name]: gw.url, UMPIRE_AGENT_TOKEN: gw.token } });
    assert.equal(stdout, "ask env approved\n");
  }
  assert.equal(process.env.UMPIRE_AGENT_TOKEN, UMPIRE_AGENT_TOKEN);
  assert.deepEqual(
    ["requestPermission", "requestExec", "requestPackageInstall", "requestNetwork", "requestWrite", "requestChanges", "requestPush", "check"].filter((f) => typeof api[f] !== "function"),
    [],
  );
});

test("the examples of the README run", async () => {
  const { spawn } = await import("node:child_process");
  const { once } = await import("node:events");
  const dir = new URL("..", import.meta.url);
  const examples = [...(await readFile(new URL("README.md", dir), "utf8")).matchAll(/```js\n(.*?)```/gs)].map((m) => m[1]).filter((code) => !code.includes("umpire-client/guard")); // guard.test.js runs those
  const want = [/^built\n 0\n$/, /^no: denied not today\n$/, /^nobody is there\n$/];
  assert.equal(examples.length, want.length);
  for (const [i, code] of examples.entries()) {
    const program = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: dir, env: { UMPIRE_API: gw.url, UMPIRE_AGENT_TOKEN: gw.token }, stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    program.stdout.on("data", (data) => (out += data));
    const gone = once(program, "close");
    if (i < 2) {
      await gw.answer(["approve", "deny"][i], "--note", "not today");
    }
    const [status] = await gone;
    assert.equal(status, 0);
    assert.match(out, want[i]);
  }
});
