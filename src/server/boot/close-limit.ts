/** Everything has ended within this time after a signal, or it is ended (ms): less than what the chart gives a pod. */
export const closeLimit = 9_500;
