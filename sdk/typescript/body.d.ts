/**
 * Reads an answer to its end, and throws what tooLarge makes for one that is too large.
 * @param {Response} res
 * @param {() => Error} tooLarge
 * @returns {Promise<string>}
 */
export function read(res: Response, tooLarge: () => Error): Promise<string>;
export const maxAnswer: number;
