export type Faults = {reset(): void}
