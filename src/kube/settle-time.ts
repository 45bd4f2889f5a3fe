/** Delay before the dashboard shows a problem that may pass by itself, seconds. */
export const settleTime = 30;
