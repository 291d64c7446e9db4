/**
 * Room for large answers that is used again: each would otherwise be new memory of megabytes, which is cleared away much
 * later than it could be. Only what was lent is taken back, so that nobody's bytes are ever written over by mistake.
 */
const lent = new WeakSet<ArrayBufferLike>()
const spare: ArrayBufferLike[] = []
const maximumSpare = 6
/** Smaller answers cost nothing. */
const smallest = 256 * 1024
/** Room is lent in whole steps, so that it fits the next answer, which is hardly ever as long to the byte. */
const step = 1024 * 1024

/** A buffer of this length; what it holds is left over from before. */
export function lendRoom(length: number): Buffer {
  if (length < smallest) return Buffer.allocUnsafeSlow(length)
  const fitting = spare.findIndex(({byteLength}) => byteLength >= length && byteLength <= length * 2 + step)
  const room =
    spare.splice(fitting, fitting < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(Math.ceil(length / step) * step).buffer
  lent.add(room)
  return Buffer.from(room, 0, length)
}

/** Takes a buffer back, whole or cut at its end; nobody may read it any more. One that was not lent stays as it is. */
export function takeBack({buffer}: Buffer): void {
  if (!lent.delete(buffer)) return
  if (spare.length === maximumSpare) spare.shift()
  spare.push(buffer)
}
