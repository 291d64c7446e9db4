/** `1 row`, `3,896 rows`: a number and what is counted, as every message says it. */
export function counted(amount: number, one: string): string {
  return `${amount.toLocaleString('en-US')} ${one}${amount === 1 ? '' : 's'}`
}
