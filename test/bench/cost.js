// Loaded before a program: leaves behind the most memory that it held and the time it computed.
import {writeFileSync} from 'node:fs'

process.on('exit', () => {
  const {maxRSS} = process.resourceUsage()
  const {user, system} = process.cpuUsage()
  writeFileSync(process.env.BENCH_COST, JSON.stringify({megabytes: maxRSS / 1024, cpuSeconds: (user + system) / 1e6}))
})
