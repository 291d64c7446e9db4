/** Where the bytes of a file go; resolves when they were taken. */
export type ByteTarget = {write(bytes: Uint8Array): Promise<void>}
