/**
 * Waits for a promise as long as `limit` allows. What it stands for goes on; its later failure is nobody's.
 * @param limit ms
 * @param sentence message of the error that is thrown when it takes longer
 */
export async function inTime<T>(promise: Promise<T>, limit: number, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(sentence)), limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
