import {readFileSync} from 'node:fs'

/**
 * The most memory that this process held, in megabytes. Linux hands the `maxRSS` of whoever starts a process on to it,
 * so that its own peak is read where the kernel keeps it; elsewhere `maxRSS` is right.
 */
export function peakMegabytes() {
  const own =
    process.platform === 'linux' ? /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) : null
  return (own ? Number(own[1]) : process.resourceUsage().maxRSS) / 1024
}
