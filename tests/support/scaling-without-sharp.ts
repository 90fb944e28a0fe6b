// A scaling process for tests without a binary of sharp.

import type { ScalingMessage } from '../../server/media/scaling/scaling-messages.ts';

process.on('disconnect', () => process.exit());
process.send?.({ kind: 'unavailable', reason: 'no binary for this machine' } satisfies ScalingMessage);
