// A real gateway: the program, built from this tree, with a home of its own.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const top = fileURLToPath(new URL("../../..", import.meta.url));

let built;

/** Builds the program once, and returns its path. */
export function build() {
  built ??= (async () => {
    const dir = await mkdtemp(path.join(tmpdir(), "umpire-sdk-bin-"));
    process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
    await run("go", ["build", "-o", path.join(dir, "umpire"), "./cmd/umpire"], { cwd: top, env: { ...process.env, CGO_ENABLED: "0" } });
    return path.join(dir, "umpire");
  })();
  return built;
}

export class Gateway {
  static async start() {
    const g = new Gateway();
    g.home = await mkdtemp(path.join(tmpdir(), "umpire-sdk-"));
    g.root = path.join(g.home, "proj");
    g.bin = await build();
    g.env = { HOME: g.home, PATH: process.env.PATH };
    await mkdir(path.join(g.home, ".config/umpire"), { recursive: true });
    await mkdir(g.root);
    g.remote = path.join(g.home, "remote.git");
    await g.git("init", "-q", "--bare", "-b", "main", g.remote);
    await writeFile(
      path.join(g.home, ".config/umpire/policy.yaml"),
      "version: 1\nrules:\n  - allow: network(good.example)\n  - deny: network(bad.example)\n  - allow: exec(echo *)\n",
    );
    await g.up("127.0.0.1:0");
    g.token = (await g.umpire("token", "add", "--agent", "sdk")).trim();
    return g;
  }

  /** Starts the program, and returns when it serves. */
  async up(address = this.address) {
    this.process = spawn(this.bin, ["serve", "--root", this.root, "--listen", address, "--push-to", this.remote], { env: this.env, stdio: ["ignore", "ignore", "pipe"] });
    const log = [];
    this.address = await new Promise((resolve, reject) => {
      const lines = readline.createInterface({ input: this.process.stderr });
      lines.on("line", (line) => {
        log.push(line);
        const m = /address=(127\.0\.0\.1:\d+)/.exec(line);
        if (m) {
          resolve(m[1]);
        }
      });
      lines.on("close", () => reject(new Error(`the gateway did not start:\n${log.join("\n")}`)));
    });
    this.url = `http://${this.address}`;
    this.env.UMPIRE_SERVER = this.url;
  }

  /** Ends it without warning. */
  async kill() {
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
  }

  async stop() {
    await this.kill();
    await rm(this.home, { recursive: true, force: true });
  }

  /** Runs a command of the operator's. */
  async umpire(...args) {
    return (await run(this.bin, args, { cwd: this.root, env: this.env })).stdout;
  }

  async git(...args) {
    return (await run("git", args, { env: this.env })).stdout;
  }

  async waiting() {
    return JSON.parse(await this.umpire("queue", "--json")).pending;
  }

  /** Waits for a question, and returns it. */
  async question() {
    for (const end = Date.now() + 60_000; Date.now() < end; ) {
      const [first] = await this.waiting();
      if (first) {
        return first;
      }
    }
    throw new Error("nobody asked anything");
  }

  /** Answers the next question, and returns it. */
  async answer(verb, ...args) {
    const asked = await this.question();
    await this.settle(verb, asked.id, ...args);
    return asked;
  }

  /** Answers a question. Nobody is at a terminal, so a yes names what was looked at. */
  async settle(verb, id, ...args) {
    const seen = verb === "approve" ? ["--digest", (await this.show(id)).digest] : [];
    await this.umpire("queue", verb, id, ...seen, ...args);
  }

  /** Returns a request as the operator sees it. */
  async show(id) {
    return JSON.parse(await this.umpire("queue", "show", id, "--json"));
  }
}
