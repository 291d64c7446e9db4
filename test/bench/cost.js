// Loaded before a program: leaves behind the most memory that it held and the time it computed.
import {writeFileSync} from 'node:fs'
import {peakMegabytes} from './peak-memory.js'

process.on('exit', () => {
  const {user, system} = process.cpuUsage()
  writeFileSync(process.env.BENCH_COST, JSON.stringify({megabytes: peakMegabytes(), cpuSeconds: (user + system) / 1e6}))
})
