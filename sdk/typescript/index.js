// Asks an umpire gateway for permission, on behalf of an agent or a program.
//
// A request that rules do not settle waits for a person; so does the caller, through
// failures of the gateway and of the network between, until there is an answer, the
// request expires, or the caller gives up. Then the request is taken back.

import { maxAnswer, read } from "./body.js";

/**
 * What became of a request.
 * @typedef {object} Answer
 * @property {string} id
 * @property {Status} status
 * @property {string} [note] what the person wants the agent to know
 */

/** @typedef {"pending" | "approved" | "denied" | "expired" | "superseded" | "cancelled" | "conflict"} Status */

/** @typedef {"network" | "filesystem" | "git" | "packages" | "sandbox" | "exec"} Category */

/** @typedef {"npm" | "pnpm" | "yarn" | "bun" | "pip" | "pip3" | "uv" | "cargo" | "go" | "gem"} Manager */

/**
 * What a command led to.
 * @typedef {object} Result
 * @property {string} stdout
 * @property {string} stderr
 * @property {number} exitCode
 */

/**
 * How long to go on: until the signal says stop, or the deadline is there. Without either
 * until there is an answer or the request expires.
 * @typedef {object} Patience
 * @property {AbortSignal} [signal]
 * @property {number} [deadline] milliseconds from now
 */

/**
 * @typedef {object} About
 * @property {string} [reason] why, in the agent's words
 * @property {string} [session] names the run; the client's if absent
 */

/** @typedef {Patience & About} Options */

/** @typedef {Options & {metadata?: Record<string, unknown>, key?: string}} PermissionOptions a key makes two requests with it one */

/** @typedef {Options & {cwd?: string, timeout?: number}} RunOptions timeout: of the command, in milliseconds */

/** @typedef {Options & {dir?: string}} PushOptions dir: of the repository, the working directory if absent */

/**
 * One step of a set of changes to the project's files. Paths are below its root.
 * @typedef {object} Change
 * @property {"write" | "delete" | "move" | "chmod" | "link" | "mkdir"} op
 * @property {string} path
 * @property {string} [from] of move
 * @property {string} [content] of write
 * @property {string} [base64] of write, where the content is no text
 * @property {string} [mode] of write and chmod: octal, such as "755"
 * @property {string} [target] of link
 * @property {string} [was] SHA-256 of your version in hex, or "absent": the request fails if the file differs
 */

/** @typedef {RunOptions & {action?: "install" | "add" | "remove"}} PackageOptions */

/**
 * @typedef {object} Settings
 * @property {string} [url] http://127.0.0.1:3700 if absent, or UMPIRE_API or SANDBOX_API where they are set; several, with commas between, are gateways on one database, of which the next is asked where one is away
 * @property {string} [token] an agent's; UMPIRE_AGENT_TOKEN if absent
 * @property {string} [session] names the run: what a person grants for a session holds for it
 * @property {typeof globalThis.fetch} [fetch]
 */

/** The error for what was not approved. */
export class Denied extends Error {
  /** @param {Answer} answer */
  constructor(answer) {
    super(`the request ${answer.id} is ${answer.status}${answer.note ? `: ${answer.note}` : ""}`);
    this.name = "Denied";
    this.id = answer.id;
    this.status = answer.status;
    this.note = answer.note;
  }
}

/** @type {Record<number, string>} */
const hints = {
  401: "set UMPIRE_AGENT_TOKEN, or token, to what `umpire token add --agent NAME` printed",
  403: "use an agent's token: `umpire token add --agent NAME` prints one",
  404: "the request is not this token's, or the address is not the gateway's",
  413: "ask for less at a time",
  421: "start the gateway with --host and this name",
  429: "ask less often",
};

/** An answer of the gateway's that is no success. */
export class Fault extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    const hint = hints[status];
    super(`the gateway says ${status}: ${message}${hint ? `; ${hint}` : ""}`);
    this.name = "Fault";
    /** of HTTP */
    this.status = status;
    /** what to do about it, if that is known */
    this.hint = hint;
  }
}

/** The error for a command whose gateway ended while it ran: its effects are not known. */
export class Unknown extends Error {
  /** @param {string} id */
  constructor(id) {
    super(`the gateway ended while ${id} ran: its effects are not known`);
    this.name = "Unknown";
    this.id = id;
  }
}

/** The error for a deadline that is over. Its cause is why the gateway could not be asked, if that is so. */
export class Late extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "TimeoutError";
    /** @type {unknown} */
    this.cause = undefined;
  }
}

const gitPath = "/git/project.git"; // the gateway's repository
const waitEach = "50s"; // one look at a request
const callLimit = 70_000;
const takeBackLimit = 5_000;
const maxPause = 3_000; // between attempts while no gateway answers
const lease = 120_000; // who is killed takes nothing back, and people must not be asked for nobody

/** @type {Record<string, string | undefined>} */
const env = /** @type {any} */ (globalThis).process?.env ?? {}; // not every runtime has one

/** Speaks with one gateway. */
export class Client {
  /** @type {string[]} */
  #urls;
  #turn = 0; // which of them
  #token;
  #session;
  #fetch;

  /** @param {Settings} [settings] */
  constructor(settings = {}) {
    const text = settings.url || env.UMPIRE_API || env.SANDBOX_API || "http://127.0.0.1:3700";
    this.#urls = text.split(",").map((part) => {
      const url = part.trim();
      let known;
      try {
        known = /^https?:$/.test(new URL(url).protocol);
      } catch {
        known = false;
      }
      if (!known) {
        throw new TypeError(`${url} is not the address of a gateway: use one such as http://127.0.0.1:3700`);
      }
      return url.replace(/\/+$/, "");
    });
    this.#token = (settings.token ?? env.UMPIRE_AGENT_TOKEN ?? "").trim();
    if (!/^[\x21-\x7e]*$/.test(this.#token)) {
      throw new TypeError("the token contains an invalid character: copy it again"); // not shown: it may be another secret
    }
    this.#session = settings.session;
    this.#fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /**
   * Asks and waits. Throws Denied if the answer is no.
   * @param {Category} category
   * @param {string} action
   * @param {PermissionOptions} [options]
   * @returns {Promise<Answer>}
   */
  requestPermission(category, action, options = {}) {
    const { reason, metadata, session, key } = options;
    return this.#patiently(options, async (p) => {
      const a = await this.#submit("/api/queue", { category, action, reason, metadata, session, key, lease }, p);
      return this.#wait(a.id, p);
    });
  }

  /**
   * Asks to reach a URL by a method, or host:port by "CONNECT".
   * @param {string} method
   * @param {string} target
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  requestNetwork(method, target, options) {
    return this.requestPermission("network", `${method} ${target}`, options);
  }

  /**
   * Asks for a file of the project to have this content, and resolves when the gateway has
   * written it.
   * @param {string} path
   * @param {string} content
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  requestWrite(path, content, options) {
    return this.requestChanges([{ op: "write", path, content }], options);
  }

  /**
   * Asks for a set of changes, all or none, and resolves when the gateway has made them.
   * Throws Denied with the status "conflict" if a file was changed after the request: nothing was
   * written then.
   * @param {Change[]} changes
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  requestChanges(changes, options = {}) {
    const { reason, session } = options;
    return this.#patiently(options, async (p) => {
      const a = await this.#submit("/api/files", { changes, reason, session, lease }, p);
      const answer = await this.#wait(a.id, p);
      await this.#outcome("files", a.id, p);
      return answer;
    });
  }

  /**
   * Pushes a branch of a repository to the gateway, which asks, and resolves when the
   * commit is at the project's remote. Throws Denied with the status "conflict" if the
   * branch has moved there meanwhile. It needs git.
   * @param {string} branch
   * @param {PushOptions} [options]
   * @returns {Promise<Answer>}
   */
  requestPush(branch, options = {}) {
    const { reason, session = this.#session, dir } = options;
    return this.#patiently(options, async (p) => {
      const args = ["push", "--porcelain", "--no-follow-tags"];
      for (const [name, value] of Object.entries({ reason, session })) {
        if (value) {
          args.push(`--push-option=${name}=${value.replaceAll("\n", " ")}`);
        }
      }
      const said = await git([...args, "--", this.#urls[this.#turn % this.#urls.length] + gitPath, `refs/heads/${branch}:refs/heads/${branch}`], dir, this.#token, p);
      p.throwIfAborted();
      const id = /umpire: request ([0-9A-HJKMNP-TV-Z]{26})/.exec(said.text)?.[1];
      if (id) {
        // What became of it is told by the request: git may have been held for too long.
        const answer = await this.#wait(id, p);
        await this.#outcome("pushes", id, p);
        return answer;
      }
      if (!said.ok) {
        throw new Error(`git push: ${said.text.trim()}`);
      }
      return { id: "", status: /** @type {Status} */ ("approved") }; // the remote has it already
    });
  }

  /**
   * Asks for a setting of the gateway's to be changed.
   * @param {string} path
   * @param {unknown} value
   * @param {Options} [options]
   * @returns {Promise<Answer>}
   */
  requestConfigChange(path, value, options) {
    return this.requestPermission("sandbox", `config change: ${path}`, { ...options, metadata: { proposal: { path, value, reason: options?.reason } } });
  }

  /**
   * Asks for a shell command to be run on the gateway's host, and returns what it led to.
   * @param {string} command
   * @param {RunOptions} [options]
   * @returns {Promise<Result>}
   */
  requestExec(command, options = {}) {
    const { reason, session, cwd, timeout } = options;
    return this.#run("exec", { command, reason, session, cwd, timeout, lease }, options);
  }

  /**
   * Asks for packages to be installed on the gateway's host.
   * @param {Manager} manager
   * @param {string[]} packages
   * @param {PackageOptions} [options]
   * @returns {Promise<Result>}
   */
  requestPackageInstall(manager, packages, options = {}) {
    const { reason, session, cwd, timeout, action = "install" } = options;
    return this.#run("packages", { manager, packages, action, reason, session, cwd, timeout, lease }, options);
  }

  /**
   * Asks and does not wait for the answer: `wait` does.
   * @param {Category} category
   * @param {string} action
   * @param {PermissionOptions} [options]
   * @returns {Promise<Answer>}
   */
  submit(category, action, options = {}) {
    const { reason, metadata, session, key } = options;
    return this.#patiently(options, (p) => this.#submit("/api/queue", { category, action, reason, metadata, session, key }, p));
  }

  /**
   * Returns the answer to a request as soon as there is one. Throws Denied if it is no.
   * @param {string} id
   * @param {Patience} [patience]
   * @returns {Promise<Answer>}
   */
  wait(id, patience = {}) {
    return this.#patiently(patience, (p) => this.#wait(id, p));
  }

  /**
   * Takes a request back, and tells whether it still waited.
   * @param {string} id
   * @returns {Promise<boolean>}
   */
  async cancel(id) {
    const out = await this.#call("DELETE", `/api/queue/${encodeURIComponent(id)}`, undefined, AbortSignal.timeout(takeBackLimit));
    return out.ok === true;
  }

  /**
   * Tells what would become of a request, and asks nobody.
   * @param {Category} category
   * @param {string} action
   * @param {PermissionOptions} [options]
   * @returns {Promise<"allow" | "ask" | "deny">}
   */
  check(category, action, options = {}) {
    const { reason, metadata, session = this.#session } = options;
    return this.#patiently(options, async (p) => {
      const body = JSON.stringify({ category, action, reason, metadata, session });
      return (await this.#again(p, (s) => this.#call("POST", "/api/check", body, s))).effect;
    });
  }

  /**
   * Lists the requests of this token's that wait for an answer, the oldest first.
   * @param {Patience} [patience]
   * @returns {Promise<Answer[]>}
   */
  pending(patience = {}) {
    return this.#patiently(patience, async (p) => (await this.#again(p, (s) => this.#call("GET", "/api/queue", undefined, s))).pending);
  }

  /**
   * @param {"exec" | "packages"} kind
   * @param {Record<string, unknown>} body
   * @param {Options} options
   * @returns {Promise<Result>}
   */
  #run(kind, body, options) {
    return this.#patiently(options, async (p) => {
      const { id } = await this.#submit(`/api/${kind}`, body, p);
      await this.#wait(id, p);
      for (;;) {
        const x = await this.#again(p, (s) => this.#call("GET", `/api/${kind}/${encodeURIComponent(id)}?wait=${waitEach}`, undefined, s));
        if (x.status === "unknown") {
          throw new Unknown(id);
        }
        if (x.result) {
          return x.result;
        }
      }
    });
  }

  /**
   * Waits until the gateway has done what was approved.
   * @param {"files" | "pushes"} kind
   * @param {string} id
   * @param {AbortSignal} p
   * @returns {Promise<void>}
   */
  async #outcome(kind, id, p) {
    for (;;) {
      const x = await this.#again(p, (s) => this.#call("GET", `/api/${kind}/${encodeURIComponent(id)}?wait=${waitEach}`, undefined, s));
      switch (x.status) {
        case "completed":
          return;
        case "conflict":
          throw new Denied({ id, status: "conflict", note: x.error });
        case "unknown":
          throw new Unknown(id);
        case "failed":
          throw new Error(`the request ${id} was approved and failed: ${x.error}`);
      }
    }
  }

  /**
   * Sends a request. A call on its way is not broken off with the caller: the gateway may
   * have it, and then somebody would be asked for nothing.
   * @param {string} path
   * @param {Record<string, unknown>} body
   * @param {AbortSignal} p
   * @returns {Promise<Answer>}
   */
  async #submit(path, body, p) {
    const text = JSON.stringify({ ...body, key: body.key ?? newKey(), session: body.session ?? this.#session }); // sent twice, it is one request by its key
    const a = await this.#again(p, async () => {
      const late = new AbortController();
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const stop = () => {
        timer = setTimeout(() => late.abort(p.reason), takeBackLimit);
      };
      p.addEventListener("abort", stop, { once: true });
      try {
        return await this.#call("POST", path, text, late.signal);
      } finally {
        clearTimeout(timer);
        p.removeEventListener("abort", stop);
      }
    });
    if (p.aborted) {
      await this.#takeBack(a.id);
      throw p.reason;
    }
    return a;
  }

  /**
   * @param {string} id
   * @param {AbortSignal} p
   * @returns {Promise<Answer>}
   */
  async #wait(id, p) {
    for (;;) {
      let a;
      try {
        a = await this.#again(p, (s) => this.#call("GET", `/api/queue/${encodeURIComponent(id)}?wait=${waitEach}`, undefined, s));
      } catch (err) {
        if (p.aborted) {
          await this.#takeBack(id);
        }
        throw err;
      }
      if (a.status === "approved") {
        return a;
      }
      if (a.status !== "pending") {
        throw new Denied(a);
      }
    }
  }

  /**
   * Cancels a request whose asker is gone. If it fails, the request expires.
   * @param {string} id
   */
  async #takeBack(id) {
    try {
      await this.#patiently({ deadline: takeBackLimit }, (p) => this.#again(p, () => this.cancel(id)));
    } catch {
      // The caller hears why it gave up, which is more to the point.
    }
  }

  /**
   * Runs something under one signal, made of the caller's and of its deadline.
   * @template T
   * @param {Patience} patience
   * @param {(p: AbortSignal) => Promise<T>} run
   * @returns {Promise<T>}
   */
  async #patiently({ signal, deadline }, run) {
    const both = new AbortController(); // AbortSignal.any is not in Node 18
    const stop = () => both.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) {
      stop();
    }
    const timer =
      deadline === undefined
        ? undefined
        : setTimeout(() => both.abort(new Late(`there was no answer within ${deadline} ms`)), deadline);
    try {
      both.signal.throwIfAborted();
      return await run(both.signal);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  /**
   * Tries again, at the next gateway if there are several, while one cannot be reached or
   * is not itself. What it refuses is not tried again.
   * @template T
   * @param {AbortSignal} p
   * @param {(s: AbortSignal) => Promise<T>} once
   * @returns {Promise<T>}
   */
  async #again(p, once) {
    let pause = 100;
    /** @type {unknown} */
    let why; // the last attempt failed
    try {
      for (let n = 1; ; n++) {
        p.throwIfAborted();
        const turn = this.#turn;
        try {
          return await once(p);
        } catch (err) {
          if (err !== p.reason) {
            why = err;
          }
          p.throwIfAborted();
          if (err instanceof Fault && err.status < 500 && err.status !== 429) {
            throw err;
          }
          if (this.#turn === turn) {
            this.#turn++; // else another call has moved on already
          }
        }
        if (n % this.#urls.length !== 0) {
          continue;
        }
        await sleep(pause * (0.5 + Math.random()), p); // those that lost a gateway do not all come back at once
        pause = Math.min(2 * pause, maxPause);
      }
    } catch (over) {
      if (over instanceof Late && over === p.reason) {
        over.cause = why;
      }
      throw over;
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {string | undefined} body
   * @param {AbortSignal} signal
   * @returns {Promise<any>}
   */
  async #call(method, path, body, signal) {
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    const timer = setTimeout(() => limit.abort(new DOMException("the gateway did not answer", "TimeoutError")), callLimit);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) {
      stop();
    }
    try {
      const res = await this.#fetch(this.#urls[this.#turn % this.#urls.length] + path, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        body,
        redirect: "manual", // the token goes to the named gateway only
        signal: limit.signal,
      });
      const text = await read(res, () => new Fault(res.status, "the answer is too large"));
      /** @type {any} */
      let out;
      try {
        out = JSON.parse(text);
      } catch {
        out = undefined;
      }
      if (res.status >= 300 || res.status < 200) {
        throw new Fault(res.status, typeof out?.error === "string" ? out.error : res.statusText || "no reason given");
      }
      if (out === undefined) {
        throw new Fault(res.status, "the answer is no JSON: is this the gateway's address?");
      }
      return out;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** @returns {string} */
function newKey() {
  // Node 18 has no global crypto. A key only has to be new among those of one token.
  return globalThis.crypto?.randomUUID?.() ?? `${Date.now().toString(36)}-${Array.from({ length: 4 }, () => Math.random().toString(36).slice(2)).join("")}`;
}

/**
 * Runs git, with the token in its environment: others may read a command line.
 * @param {string[]} args
 * @param {string | undefined} cwd
 * @param {string} token
 * @param {AbortSignal} signal
 * @returns {Promise<{ok: boolean, text: string}>}
 */
async function git(args, cwd, token, signal) {
  const name = "node:child_process"; // other runtimes need not have it for the rest
  const { execFile } = /** @type {any} */ (await import(name));
  const more = { GIT_TERMINAL_PROMPT: "0", GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "http.extraHeader", GIT_CONFIG_VALUE_0: `Authorization: Bearer ${token}` };
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      args,
      { cwd, signal, env: { ...env, ...more }, maxBuffer: maxAnswer },
      /** @type {(err: any, out: string, log: string) => void} */
      (err, out, log) => {
        if (err && typeof err.code !== "number" && !signal.aborted) {
          reject(err); // there is no git, say
        } else {
          resolve({ ok: !err, text: out + log });
        }
      },
    );
  });
}

// The same with a client made from the environment.

/**
 * Asks and waits. Throws Denied if the answer is no.
 * @param {Category} category
 * @param {string} action
 * @param {PermissionOptions} [options]
 * @returns {Promise<Answer>}
 */
export const requestPermission = (category, action, options) => new Client().requestPermission(category, action, options);

/**
 * Asks for a shell command to be run on the gateway's host.
 * @param {string} command
 * @param {RunOptions} [options]
 * @returns {Promise<Result>}
 */
export const requestExec = (command, options) => new Client().requestExec(command, options);

/**
 * Asks for packages to be installed on the gateway's host.
 * @param {Manager} manager
 * @param {string[]} packages
 * @param {PackageOptions} [options]
 * @returns {Promise<Result>}
 */
export const requestPackageInstall = (manager, packages, options) => new Client().requestPackageInstall(manager, packages, options);

/**
 * Asks to reach a URL by a method, or host:port by "CONNECT".
 * @param {string} method
 * @param {string} target
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export const requestNetwork = (method, target, options) => new Client().requestNetwork(method, target, options);

/**
 * Asks for a file of the project to have this content.
 * @param {string} path
 * @param {string} content
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export const requestWrite = (path, content, options) => new Client().requestWrite(path, content, options);

/**
 * Asks for changes of several files, all or none.
 * @param {Change[]} changes
 * @param {Options} [options]
 * @returns {Promise<Answer>}
 */
export const requestChanges = (changes, options) => new Client().requestChanges(changes, options);

/**
 * Pushes a branch to the gateway, which asks.
 * @param {string} branch
 * @param {PushOptions} [options]
 * @returns {Promise<Answer>}
 */
export const requestPush = (branch, options) => new Client().requestPush(branch, options);

/**
 * Tells what would become of a request, and asks nobody.
 * @param {Category} category
 * @param {string} action
 * @param {PermissionOptions} [options]
 * @returns {Promise<"allow" | "ask" | "deny">}
 */
export const check = (category, action, options) => new Client().check(category, action, options);
