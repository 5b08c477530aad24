// Judges texts with an umpire guard: `umpire guard serve`, or a gateway with --guard.
//
// A text that cannot be judged is an error. Treat an error as a rejection.

import { read } from "./body.js";

/** @typedef {"allow" | "modify" | "reject"} Verdict */

/** @typedef {"RATE_LIMITED" | "INVALID_INPUT" | "PROMPT_INJECTION" | "OFF_TOPIC" | "UNAUTHORIZED" | "SYSTEM_ERROR" | "LEAKAGE" | "BLOCKED"} Category */

/**
 * A place in the text as it came, in bytes of UTF-8.
 * @typedef {object} Finding
 * @property {string} type
 * @property {number} start
 * @property {number} end
 * @property {number} [score]
 */

/**
 * What a stage would have done to a text that passed it.
 * @typedef {object} Observed
 * @property {string} stage
 * @property {Verdict} verdict
 * @property {Category} [category]
 * @property {string} [reason]
 * @property {boolean} [excepted] an exception let it pass, and not the mode
 */

/**
 * What may go on of a text.
 * @typedef {object} Judged
 * @property {Verdict} verdict
 * @property {string} text what may go on, empty if rejected
 * @property {number} score from 0 to 1
 * @property {Category} [category]
 * @property {string} [reason] for the operator
 * @property {string} [message] what the person whose text was rejected may read
 * @property {string} [stage] which stage rejected, or changed last
 * @property {string[]} [hints]
 * @property {string[]} [why] the words that decided
 * @property {Finding[]} [findings]
 * @property {{stage: string, reason?: string}[]} [changes]
 * @property {Observed[]} [observed]
 * @property {number} [retryAfter] in how many seconds a text that came too often may come again
 * @property {Record<string, string>} [masks] of output with reversible: what the masks stand for
 */

/**
 * What may go to the model of a tool's output.
 * @typedef {object} Sanitized
 * @property {Verdict} verdict
 * @property {string} text
 * @property {number} score
 * @property {boolean} tainted it tried to steer the model
 * @property {string} [marker] the random word around the text
 * @property {Category} [category]
 * @property {string} [reason]
 * @property {Finding[]} [findings]
 */

/** @typedef {{userId?: string, tenantId?: string, metadata?: Record<string, unknown>}} Who */

/** @typedef {{signal?: AbortSignal, deadline?: number}} Patience deadline: in milliseconds from now, 60,000 if absent */

/** @typedef {Who & {channel?: string}} InputFields metadata.conversationHistory has the turns before */

/** @typedef {Who & {system?: string, canary?: string, reversible?: boolean}} OutputFields system: the prompt that is not to be told */

/** @typedef {{tool?: string, hidden?: "keep" | "show" | "remove", defang?: boolean, unmarked?: boolean}} ToolFields */

/**
 * A row of a batch: its kind, its text and what belongs to the kind.
 * @typedef {{id?: string | number, text: string} & (({kind?: "input"} & InputFields) | ({kind: "output"} & OutputFields) | ({kind: "tool_output"} & ToolFields))} Row
 */

/**
 * The answer to a row: sanitized for a tool's output, else result.
 * @typedef {{id?: string | number, result?: Judged, sanitized?: Sanitized}} BatchResult
 */

/**
 * @typedef {object} GuardSettings
 * @property {string} [url] http://127.0.0.1:3704 if absent, or UMPIRE_GUARD where it is set
 * @property {string} [token] UMPIRE_GUARD_TOKEN if absent
 * @property {typeof globalThis.fetch} [fetch]
 */

/** An answer of the guard's that is no success: the text was not judged. */
export class GuardFault extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(`the guard says ${status}: ${message}`);
    this.name = "GuardFault";
    /** of HTTP */
    this.status = status;
  }
}

/** @type {Record<string, string | undefined>} */
const env = /** @type {any} */ (globalThis).process?.env ?? {}; // not every runtime has one

const callLimit = 60_000; // ms

export class Guard {
  #url;
  #token;
  #fetch;

  /** @param {GuardSettings} [settings] */
  constructor(settings = {}) {
    this.#url = (settings.url || env.UMPIRE_GUARD || "http://127.0.0.1:3704").replace(/\/+$/, "");
    if (!/^https?:\/\/[^/]/.test(this.#url)) {
      throw new TypeError(`${this.#url} is not the address of a guard: use one such as http://127.0.0.1:3704`);
    }
    this.#token = (settings.token ?? env.UMPIRE_GUARD_TOKEN ?? "").trim();
    if (!/^[\x21-\x7e]*$/.test(this.#token)) {
      throw new TypeError("the token contains an invalid character: copy it again"); // not shown: it may be another secret
    }
    this.#fetch = settings.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /**
   * Judges a text on its way to a model.
   * @param {string} text
   * @param {InputFields & Patience} [options]
   * @returns {Promise<Judged>}
   */
  input(text, options = {}) {
    return this.#judge("input", "input", text, options);
  }

  /**
   * Judges a text that a model wrote.
   * @param {string} text
   * @param {OutputFields & Patience} [options]
   * @returns {Promise<Judged>}
   */
  output(text, options = {}) {
    return this.#judge("output", "output", text, options);
  }

  /**
   * Makes what a tool gave back safe to read for a model.
   * @param {string} text
   * @param {ToolFields & Patience} [options]
   * @returns {Promise<Sanitized>}
   */
  toolOutput(text, options = {}) {
    return this.#judge("tool-output", "tool_output", text, options);
  }

  /**
   * Judges several texts, answered in their order.
   * @param {Row[]} items
   * @param {Patience} [options]
   * @returns {Promise<BatchResult[]>}
   */
  async batch(items, options = {}) {
    const out = await this.#call("batch", { items }, options);
    if (!Array.isArray(out.items) || out.items.length !== items.length) {
      throw new GuardFault(200, "the answer has not one entry for each text");
    }
    return out.items;
  }

  /**
   * @param {string} path
   * @param {string} kind
   * @param {string} text
   * @param {Patience & object} options
   * @returns {Promise<any>}
   */
  async #judge(path, kind, text, { signal, deadline, ...fields }) {
    const out = await this.#call(path, { ...fields, kind, text }, { signal, deadline });
    if (!["allow", "modify", "reject"].includes(out.verdict)) {
      throw new GuardFault(200, "the answer has no verdict: is this the guard's address?");
    }
    return out;
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {Patience} patience
   * @returns {Promise<any>}
   */
  async #call(path, body, { signal, deadline = callLimit }) {
    const limit = new AbortController(); // AbortSignal.any is not in Node 18
    const stop = () => limit.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) {
      stop();
    }
    const timer = setTimeout(() => limit.abort(new DOMException(`there was no answer within ${deadline} ms`, "TimeoutError")), deadline);
    try {
      const res = await this.#fetch(`${this.#url}/v1/guard/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}) },
        body: JSON.stringify(body),
        redirect: "manual", // the token and the text go to the named guard only
        signal: limit.signal,
      });
      const text = await read(res, () => new GuardFault(res.status, "the answer is too large"));
      /** @type {any} */
      let out;
      try {
        out = JSON.parse(text);
      } catch {
        out = undefined;
      }
      if (res.status !== 200) {
        throw new GuardFault(res.status, typeof out?.detail === "string" ? out.detail : res.statusText || "no reason given");
      }
      if (out === null || typeof out !== "object") {
        throw new GuardFault(res.status, "the answer is no JSON object: is this the guard's address?");
      }
      return out;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}
