import {Readable} from 'node:stream'
import {type BulkOptions, planFile} from './flow.js'

export {siteHeader as header} from '../support/site-lines.js'

/** A line of a sites file below `header`. */
export const site = (name: string, accountId: number | string = 7) => `${accountId},3,${name},true,500,1000,Net10`

/** Lines as standard input. */
export function asStdin(lines: readonly string[]): {file: string; stdin: AsyncIterable<Buffer>} {
  return {file: '-', stdin: Readable.from([Buffer.from(`${lines.join('\n')}\n`)])}
}

export function planLines(lines: readonly string[], options: Partial<BulkOptions> = {}) {
  return planFile('sites.create', {...asStdin(lines), setSize: 500, ...options})
}
