import type {Case} from './history.js'

/** Histories that failed once, played by every gate: what `--shrink` prints, or a seed and its act. */
export const regressions: readonly Case[] = [
  {seed: 73, act: 'exports', only: ['night 20 kill', 'night 21 kill', 'power 21'], fixed: {'page size': 2}},
  {seed: 86, act: 'exports'},
  {seed: 261, act: 'published'},
  {seed: 341, act: 'old', only: ['night 20 signal', 'night 30 kill', 'leftover 31'], fixed: {'page size': 2}},
  {seed: 2554, act: 'jobs', only: ['night 11 kill', 'night 11/1/reports stopped'], fixed: {nights: 1}},
  {seed: 6238, act: 'published', only: ['step 0 signal', 'clock 0', 'step 1 kill'], fixed: {name: 1}},
  {seed: 6852, act: 'machines'},
  {seed: 7186, act: 'sync'},
  {seed: 11152, act: 'published'},
  {seed: 11916, act: 'exports', only: ['night 10 kill', 'clock 10', 'night 11 kill', 'clock 11']},
  {seed: 12206, act: 'old', only: ['step 0 full', 'step 0/1 PUT /v2.1/alerts 1']},
  {seed: 12250, act: 'writes'},
  {seed: 12821, act: 'writes'},
  {seed: 14507, act: 'published'},
  {seed: 15069, act: 'writes'},
  {seed: 15175, act: 'writes'},
  {seed: 18838, act: 'exports'},
  {seed: 19608, act: 'shared'},
  {seed: 25917, act: 'published'},
  {
    seed: 45301,
    act: 'published',
    only: ['step 0 stopped', 'step 0/1 POST /v2.1/selections/apply-delta 1'],
    fixed: {name: 1, 'meddle 0': false, leave: false},
  },
]
