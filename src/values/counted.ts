import {thousands} from './thousands.js'

/** `1 row`, `3,896 rows`: a number and what is counted, as every message says it. */
export function counted(amount: number, one: string): string {
  return `${thousands(amount)} ${one}${amount === 1 ? '' : 's'}`
}
