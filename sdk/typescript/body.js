// Reads answers.

export const maxAnswer = 8 << 20; // bytes

/**
 * Reads an answer to its end, and throws what tooLarge makes for one that is too large.
 * @param {Response} res
 * @param {() => Error} tooLarge
 * @returns {Promise<string>}
 */
export async function read(res, tooLarge) {
  if (!res.body) {
    return "";
  }
  const reader = res.body.getReader();
  const chunks = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) {
      return text + chunks.decode();
    }
    size += value.byteLength;
    if (size > maxAnswer) {
      await reader.cancel();
      throw tooLarge();
    }
    text += chunks.decode(value, { stream: true });
  }
}
