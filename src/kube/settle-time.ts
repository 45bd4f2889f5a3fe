/** Trouble that may pass by itself is told after this time, seconds. */
export const settleTime = 30;
