import type {ActName, Case} from './history.js'

/** Seeds that failed once, by their act. */
const whole: Partial<Record<ActName, number[]>> = {
  ...{exports: [86, 18838, 53788], published: [261, 11152, 14507, 25917], shared: [19608, 34083], machines: [6852]},
  ...{sync: [7186], quota: [23359], jobs: [42254], writes: [12250, 12821, 15069, 15175]},
}
/** Histories that failed once, played by every gate: what `--shrink` prints, or a seed and its act. */
export const regressions: readonly Case[] = [
  {seed: 73, act: 'exports', only: ['night 20 kill', 'night 21 kill', 'power 21'], fixed: {'page size': 2}},
  {seed: 341, act: 'old', only: ['night 20 signal', 'night 30 kill', 'leftover 31'], fixed: {'page size': 2}},
  {seed: 2554, act: 'jobs', only: ['night 11 kill', 'night 11/1/reports stopped'], fixed: {nights: 1}},
  {seed: 6238, act: 'published', only: ['step 0 signal', 'clock 0', 'step 1 kill'], fixed: {name: 1}},
  {seed: 11916, act: 'exports', only: ['night 10 kill', 'clock 10', 'night 11 kill', 'clock 11']},
  {seed: 12206, act: 'old', only: ['step 0 full', 'step 0/1 PUT /v2.1/alerts 1']},
  {
    seed: 45301,
    act: 'published',
    only: ['step 0 stopped', 'step 0/1 POST /v2.1/selections/apply-delta 1'],
    fixed: {name: 1, 'meddle 0': false, leave: false},
  },
  ...Object.entries(whole).flatMap(([act, seeds]) => seeds.map((seed) => ({seed, act: act as ActName}))),
]
