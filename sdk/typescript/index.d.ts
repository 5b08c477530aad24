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
    constructor(answer: Answer);
    id: string;
    status: Status;
    note: string | undefined;
}
/** An answer of the gateway's that is no success. */
export class Fault extends Error {
    /**
     * @param {number} status
     * @param {string} message
     */
    constructor(status: number, message: string);
    /** of HTTP */
    status: number;
    /** what to do about it, if that is known */
    hint: string | undefined;
}
/** The error for a command whose gateway ended while it ran: its effects are not known. */
export class Unknown extends Error {
    /** @param {string} id */
    constructor(id: string);
    id: string;
}
/** The error for a deadline that is over. Its cause is why the gateway could not be asked, if that is so. */
export class Late extends Error {
    /** @param {string} message */
    constructor(message: string);
}
/** Speaks with one gateway. */
export class Client {
    /** @param {Settings} [settings] */
    constructor(settings?: Settings);
    /**
     * Asks and waits. Throws Denied if the answer is no.
     * @param {Category} category
     * @param {string} action
     * @param {PermissionOptions} [options]
     * @returns {Promise<Answer>}
     */
    requestPermission(category: Category, action: string, options?: PermissionOptions): Promise<Answer>;
    /**
     * Asks to reach a URL by a method, or host:port by "CONNECT".
     * @param {string} method
     * @param {string} target
     * @param {Options} [options]
     * @returns {Promise<Answer>}
     */
    requestNetwork(method: string, target: string, options?: Options): Promise<Answer>;
    /**
     * Asks for a file of the project to have this content, and resolves when the gateway has
     * written it.
     * @param {string} path
     * @param {string} content
     * @param {Options} [options]
     * @returns {Promise<Answer>}
     */
    requestWrite(path: string, content: string, options?: Options): Promise<Answer>;
    /**
     * Asks for a set of changes, all or none, and resolves when the gateway has made them.
     * Throws Denied with the status "conflict" if a file was changed after the request: nothing was
     * written then.
     * @param {Change[]} changes
     * @param {Options} [options]
     * @returns {Promise<Answer>}
     */
    requestChanges(changes: Change[], options?: Options): Promise<Answer>;
    /**
     * Pushes a branch of a repository to the gateway, which asks, and resolves when the
     * commit is at the project's remote. Throws Denied with the status "conflict" if the
     * branch has moved there meanwhile. It needs git.
     * @param {string} branch
     * @param {PushOptions} [options]
     * @returns {Promise<Answer>}
     */
    requestPush(branch: string, options?: PushOptions): Promise<Answer>;
    /**
     * Asks for a setting of the gateway's to be changed.
     * @param {string} path
     * @param {unknown} value
     * @param {Options} [options]
     * @returns {Promise<Answer>}
     */
    requestConfigChange(path: string, value: unknown, options?: Options): Promise<Answer>;
    /**
     * Asks for a shell command to be run on the gateway's host, and returns what it led to.
     * @param {string} command
     * @param {RunOptions} [options]
     * @returns {Promise<Result>}
     */
    requestExec(command: string, options?: RunOptions): Promise<Result>;
    /**
     * Asks for packages to be installed on the gateway's host.
     * @param {Manager} manager
     * @param {string[]} packages
     * @param {PackageOptions} [options]
     * @returns {Promise<Result>}
     */
    requestPackageInstall(manager: Manager, packages: string[], options?: PackageOptions): Promise<Result>;
    /**
     * Asks and does not wait for the answer: `wait` does.
     * @param {Category} category
     * @param {string} action
     * @param {PermissionOptions} [options]
     * @returns {Promise<Answer>}
     */
    submit(category: Category, action: string, options?: PermissionOptions): Promise<Answer>;
    /**
     * Returns the answer to a request as soon as there is one. Throws Denied if it is no.
     * @param {string} id
     * @param {Patience} [patience]
     * @returns {Promise<Answer>}
     */
    wait(id: string, patience?: Patience): Promise<Answer>;
    /**
     * Takes a request back, and tells whether it still waited.
     * @param {string} id
     * @returns {Promise<boolean>}
     */
    cancel(id: string): Promise<boolean>;
    /**
     * Tells what would become of a request, and asks nobody.
     * @param {Category} category
     * @param {string} action
     * @param {PermissionOptions} [options]
     * @returns {Promise<"allow" | "ask" | "deny">}
     */
    check(category: Category, action: string, options?: PermissionOptions): Promise<"allow" | "ask" | "deny">;
    /**
     * Lists the requests of this token's that wait for an answer, the oldest first.
     * @param {Patience} [patience]
     * @returns {Promise<Answer[]>}
     */
    pending(patience?: Patience): Promise<Answer[]>;
    #private;
}
export function requestPermission(category: Category, action: string, options?: PermissionOptions): Promise<Answer>;
export function requestExec(command: string, options?: RunOptions): Promise<Result>;
export function requestPackageInstall(manager: Manager, packages: string[], options?: PackageOptions): Promise<Result>;
export function requestNetwork(method: string, target: string, options?: Options): Promise<Answer>;
export function requestWrite(path: string, content: string, options?: Options): Promise<Answer>;
export function requestChanges(changes: Change[], options?: Options): Promise<Answer>;
export function requestPush(branch: string, options?: PushOptions): Promise<Answer>;
export function check(category: Category, action: string, options?: PermissionOptions): Promise<"allow" | "ask" | "deny">;
/**
 * What became of a request.
 */
export type Answer = {
    id: string;
    status: Status;
    /**
     * what the person wants the agent to know
     */
    note?: string | undefined;
};
export type Status = "pending" | "approved" | "denied" | "expired" | "superseded" | "cancelled" | "conflict";
export type Category = "network" | "filesystem" | "git" | "packages" | "sandbox" | "exec";
export type Manager = "npm" | "pnpm" | "yarn" | "bun" | "pip" | "pip3" | "uv" | "cargo" | "go" | "gem";
/**
 * What a command led to.
 */
export type Result = {
    stdout: string;
    stderr: string;
    exitCode: number;
};
/**
 * How long to go on: until the signal says stop, or the deadline is there. Without either
 * until there is an answer or the request expires.
 */
export type Patience = {
    signal?: AbortSignal | undefined;
    /**
     * milliseconds from now
     */
    deadline?: number | undefined;
};
export type About = {
    /**
     * why, in the agent's words
     */
    reason?: string | undefined;
    /**
     * names the run; the client's if absent
     */
    session?: string | undefined;
};
export type Options = Patience & About;
/**
 * a key makes two requests with it one
 */
export type PermissionOptions = Options & {
    metadata?: Record<string, unknown>;
    key?: string;
};
/**
 * timeout: of the command, in milliseconds
 */
export type RunOptions = Options & {
    cwd?: string;
    timeout?: number;
};
/**
 * dir: of the repository, the working directory if absent
 */
export type PushOptions = Options & {
    dir?: string;
};
/**
 * One step of a set of changes to the project's files. Paths are below its root.
 */
export type Change = {
    op: "write" | "delete" | "move" | "chmod" | "link" | "mkdir";
    path: string;
    /**
     * of move
     */
    from?: string | undefined;
    /**
     * of write
     */
    content?: string | undefined;
    /**
     * of write, where the content is no text
     */
    base64?: string | undefined;
    /**
     * of write and chmod: octal, such as "755"
     */
    mode?: string | undefined;
    /**
     * of link
     */
    target?: string | undefined;
    /**
     * SHA-256 of your version in hex, or "absent": the request fails if the file differs
     */
    was?: string | undefined;
};
export type PackageOptions = RunOptions & {
    action?: "install" | "add" | "remove";
};
export type Settings = {
    /**
     * http://127.0.0.1:3700 if absent, or UMPIRE_API or SANDBOX_API where they are set; several, with commas between, are gateways on one database, of which the next is asked where one is away
     */
    url?: string | undefined;
    /**
     * an agent's; UMPIRE_AGENT_TOKEN if absent
     */
    token?: string | undefined;
    /**
     * names the run: what a person grants for a session holds for it
     */
    session?: string | undefined;
    fetch?: typeof fetch | undefined;
};
