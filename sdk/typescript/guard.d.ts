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
    constructor(status: number, message: string);
    /** of HTTP */
    status: number;
}
export class Guard {
    /** @param {GuardSettings} [settings] */
    constructor(settings?: GuardSettings);
    /**
     * Judges a text on its way to a model.
     * @param {string} text
     * @param {InputFields & Patience} [options]
     * @returns {Promise<Judged>}
     */
    input(text: string, options?: InputFields & Patience): Promise<Judged>;
    /**
     * Judges a text that a model wrote.
     * @param {string} text
     * @param {OutputFields & Patience} [options]
     * @returns {Promise<Judged>}
     */
    output(text: string, options?: OutputFields & Patience): Promise<Judged>;
    /**
     * Makes what a tool gave back safe to read for a model.
     * @param {string} text
     * @param {ToolFields & Patience} [options]
     * @returns {Promise<Sanitized>}
     */
    toolOutput(text: string, options?: ToolFields & Patience): Promise<Sanitized>;
    /**
     * Judges several texts, answered in their order.
     * @param {Row[]} items
     * @param {Patience} [options]
     * @returns {Promise<BatchResult[]>}
     */
    batch(items: Row[], options?: Patience): Promise<BatchResult[]>;
    #private;
}
export type Verdict = "allow" | "modify" | "reject";
export type Category = "RATE_LIMITED" | "INVALID_INPUT" | "PROMPT_INJECTION" | "OFF_TOPIC" | "UNAUTHORIZED" | "SYSTEM_ERROR" | "LEAKAGE" | "BLOCKED";
/**
 * A place in the text as it came, in bytes of UTF-8.
 */
export type Finding = {
    type: string;
    start: number;
    end: number;
    score?: number | undefined;
};
/**
 * What a stage would have done to a text that passed it.
 */
export type Observed = {
    stage: string;
    verdict: Verdict;
    category?: Category | undefined;
    reason?: string | undefined;
    /**
     * an exception let it pass, and not the mode
     */
    excepted?: boolean | undefined;
};
/**
 * What may go on of a text.
 */
export type Judged = {
    verdict: Verdict;
    /**
     * what may go on, empty if rejected
     */
    text: string;
    /**
     * from 0 to 1
     */
    score: number;
    category?: Category | undefined;
    /**
     * for the operator
     */
    reason?: string | undefined;
    /**
     * what the person whose text was rejected may read
     */
    message?: string | undefined;
    /**
     * which stage rejected, or changed last
     */
    stage?: string | undefined;
    hints?: string[] | undefined;
    /**
     * the words that decided
     */
    why?: string[] | undefined;
    findings?: Finding[] | undefined;
    changes?: {
        stage: string;
        reason?: string;
    }[] | undefined;
    observed?: Observed[] | undefined;
    /**
     * in how many seconds a text that came too often may come again
     */
    retryAfter?: number | undefined;
    /**
     * of output with reversible: what the masks stand for
     */
    masks?: Record<string, string> | undefined;
};
/**
 * What may go to the model of a tool's output.
 */
export type Sanitized = {
    verdict: Verdict;
    text: string;
    score: number;
    /**
     * it tried to steer the model
     */
    tainted: boolean;
    /**
     * the random word around the text
     */
    marker?: string | undefined;
    category?: Category | undefined;
    reason?: string | undefined;
    findings?: Finding[] | undefined;
};
export type Who = {
    userId?: string;
    tenantId?: string;
    metadata?: Record<string, unknown>;
};
/**
 * deadline: in milliseconds from now, 60,000 if absent
 */
export type Patience = {
    signal?: AbortSignal;
    deadline?: number;
};
/**
 * metadata.conversationHistory has the turns before
 */
export type InputFields = Who & {
    channel?: string;
};
/**
 * system: the prompt that is not to be told
 */
export type OutputFields = Who & {
    system?: string;
    canary?: string;
    reversible?: boolean;
};
export type ToolFields = {
    tool?: string;
    hidden?: "keep" | "show" | "remove";
    defang?: boolean;
    unmarked?: boolean;
};
/**
 * A row of a batch: its kind, its text and what belongs to the kind.
 */
export type Row = {
    id?: string | number;
    text: string;
} & (({
    kind?: "input";
} & InputFields) | ({
    kind: "output";
} & OutputFields) | ({
    kind: "tool_output";
} & ToolFields));
/**
 * The answer to a row: sanitized for a tool's output, else result.
 */
export type BatchResult = {
    id?: string | number;
    result?: Judged;
    sanitized?: Sanitized;
};
export type GuardSettings = {
    /**
     * http://127.0.0.1:3704 if absent, or UMPIRE_GUARD where it is set
     */
    url?: string | undefined;
    /**
     * UMPIRE_GUARD_TOKEN if absent
     */
    token?: string | undefined;
    fetch?: typeof fetch | undefined;
};
