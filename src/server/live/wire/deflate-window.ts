/**
 * The compression window of sockets with their pages: messages refer back at most 2 to the power of this, in bytes. The
 * socket of a log or shell keeps its compressor for life: with 8 KB it takes 64 KB instead of 256.
 */
export const deflateWindowBits = 13;
