/* Trains the two jobs of train_mnist.py from C, on pictures that it draws itself.
 *
 *     penstock compile examples/train_mnist.py:train_job,predict_job --emit so,header -o mlp
 *     cc -O2 examples/mlp.c -I. -L. -lmlp -Wl,-rpath,'$ORIGIN' -o mlp && ./mlp
 *
 * Neither Python nor penstock is needed where it runs. */

#include "mlp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 100, SIDE = 28, CLASSES = 10, STEPS = 20 };

static float images[BATCH * SIDE * SIDE];
static int32_t labels[BATCH];
static float losses[BATCH];
static float scores[BATCH * CLASSES];

/* Noise, in which class k has two bright rows. */
static void draw(uint32_t seed)
{
    for (int i = 0; i < BATCH; i++) {
        seed = seed * 1664525u + 1013904223u;
        labels[i] = (int32_t)((seed >> 16) % CLASSES);
        for (int j = 0; j < SIDE * SIDE; j++) {
            seed = seed * 1664525u + 1013904223u;
            float noise = (float)(seed >> 16) / 65536.0f;
            int bright = j / SIDE / 2 == labels[i] + 2;
            images[i * SIDE * SIDE + j] = bright ? 0.5f + noise / 2 : noise / 2;
        }
    }
}

static void check(int status)
{
    if (status != MLP_OK) {
        fprintf(stderr, "mlp: %s\n", mlp_message(status));
        exit(1);
    }
}

static int right_answers(void)
{
    int right = 0;
    for (int i = 0; i < BATCH; i++) {
        int best = 0;
        for (int k = 1; k < CLASSES; k++)
            if (scores[i * CLASSES + k] > scores[i * CLASSES + best])
                best = k;
        right += best == labels[i];
    }
    return right;
}

int main(void)
{
    struct mlp_variables variables;
    void *memory = aligned_alloc(MLP_ALIGNMENT, MLP_VARIABLES_BYTES);
    void *workspace = aligned_alloc(MLP_ALIGNMENT, MLP_WORKSPACE_BYTES);

    if (!memory || !workspace) {
        fprintf(stderr, "mlp: there is no memory\n");
        return 1;
    }
    check(mlp_initialize(&variables, memory));
    for (uint32_t step = 0; step < STEPS; step++) {
        float sum = 0;
        draw(step);
        check(mlp_train_job(&variables, images, labels, losses, workspace));
        for (int i = 0; i < BATCH; i++)
            sum += losses[i];
        printf("step %2u: loss %.9g\n", (unsigned)step, sum / BATCH);
    }
    draw(STEPS);
    check(mlp_predict_job(&variables, images, scores, workspace));
    printf("%d of %d right\n", right_answers(), BATCH);
    free(workspace);
    free(memory);
    return 0;
}
