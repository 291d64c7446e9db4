// Loaded before a program: leaves behind the most memory that it held.
import {writeFileSync} from 'node:fs'

process.on('exit', () => {
  const {maxRSS} = process.resourceUsage()
  writeFileSync(process.env.BENCH_COST, JSON.stringify({megabytes: maxRSS / 1024}))
})
