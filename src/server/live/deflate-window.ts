/**
 * What sockets agree on with their pages: nothing that is sent repeats what lies further back than 2 to the power of
 * this, in bytes. A socket of a log or shell keeps its compressor for life: with 8 KB it takes 64 KB and not 256.
 */
export const deflateWindowBits = 13;
