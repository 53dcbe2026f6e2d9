/* Copyright (c) 2026 The libqthread authors; SPDX-License-Identifier: BSD-3-Clause */
/* With quarters A11 ... of A and so on:
 *
 *   S1 = A21 + A22   S2 = S1 - A11    S3 = A11 - A21   S4 = A12 - S2
 *   T1 = B12 - B11   T2 = B22 - T1    T3 = B22 - B12   T4 = T2 - B21
 *   P1 = A11 B11     P2 = A12 B21     P3 = S4 B22      P4 = A22 T4     P5 = S1 T1     P6 = S2 T2     P7 = S3 T3
 *   C11 = P1 + P2    U = P1 + P6      C12 = U + P5 + P3    C21 = U + P7 - P4    C22 = U + P7 + P5
 *
 * P2 to P5 are left in the quarters of C.  Loops of a fixed length are what compilers turn into vectors at -O2. */
#include "strassen/strassen.h"

typedef struct strassen_matrix matrix;

/* Quarters in the order 11, 12, 21, 22. */
static matrix quarter(matrix m, size_t half, unsigned which)
{
	return (matrix){ m.at + (which / 2) * half * m.step + (which % 2) * half, m.step };
}

static matrix quarter_of_room(double *room, size_t half, unsigned which)
{
	return (matrix){ room + which * half * half, half };
}

enum { PIECE = 8 };

/* The sums before the products, for rows of quarters. */
static void sums_of_a(size_t n, const double *a11, const double *a12, const double *a21, const double *a22,
	double *restrict s1, double *restrict s2, double *restrict s3, double *restrict s4)
{
	for (size_t j = 0; j < n; j += PIECE)
		for (size_t l = j; l < j + PIECE; l++) {
			const double first = a21[l] + a22[l], second = first - a11[l];
			s1[l] = first;
			s2[l] = second;
			s3[l] = a11[l] - a21[l];
			s4[l] = a12[l] - second;
		}
}

static void sums_of_b(size_t n, const double *b11, const double *b12, const double *b21, const double *b22,
	double *restrict t1, double *restrict t2, double *restrict t3, double *restrict t4)
{
	for (size_t j = 0; j < n; j += PIECE)
		for (size_t l = j; l < j + PIECE; l++) {
			const double first = b12[l] - b11[l], second = b22[l] - first;
			t1[l] = first;
			t2[l] = second;
			t3[l] = b22[l] - b12[l];
			t4[l] = second - b21[l];
		}
}

/* And after them; c11 ... hold P2, P3, P4, P5. */
static void sums_of_products(size_t n, const double *p1, const double *p6, const double *p7, double *restrict c11,
	double *restrict c12, double *restrict c21, double *restrict c22)
{
	for (size_t j = 0; j < n; j += PIECE)
		for (size_t l = j; l < j + PIECE; l++) {
			const double u = p1[l] + p6[l], v = u + p7[l], p5 = c22[l];
			c11[l] += p1[l];
			c12[l] += u + p5;
			c21[l] = v - c21[l];
			c22[l] = v + p5;
		}
}

static double *row(const matrix *m, size_t i)
{
	return m->at + i * m->step;
}

void strassen_divide(const struct strassen_product *p, struct strassen_work *w)
{
	const size_t half = p->n / 2;
	matrix a[4], b[4], c[4], s[4], t[4], own[3];

	w->room = strassen_room_take(p);
	for (unsigned i = 0; i < 4; i++) {
		a[i] = quarter(p->a, half, i);
		b[i] = quarter(p->b, half, i);
		c[i] = quarter(p->c, half, i);
		s[i] = quarter_of_room(w->room, half, 3 + i);
		t[i] = quarter_of_room(w->room, half, 7 + i);
	}
	for (unsigned i = 0; i < 3; i++)
		own[i] = quarter_of_room(w->room, half, i);
	for (size_t i = 0; i < half; i++) {
		sums_of_a(half, row(&a[0], i), row(&a[1], i), row(&a[2], i), row(&a[3], i), row(&s[0], i),
			row(&s[1], i), row(&s[2], i), row(&s[3], i));
		sums_of_b(half, row(&b[0], i), row(&b[1], i), row(&b[2], i), row(&b[3], i), row(&t[0], i),
			row(&t[1], i), row(&t[2], i), row(&t[3], i));
	}
	const struct strassen_product parts[STRASSEN_PARTS] = {
		{ a[0], b[0], own[0], half, p->depth + 1 },
		{ a[1], b[2], c[0], half, p->depth + 1 },
		{ s[3], b[3], c[1], half, p->depth + 1 },
		{ a[3], t[3], c[2], half, p->depth + 1 },
		{ s[0], t[0], c[3], half, p->depth + 1 },
		{ s[1], t[1], own[1], half, p->depth + 1 },
		{ s[2], t[2], own[2], half, p->depth + 1 },
	};
	for (unsigned i = 0; i < STRASSEN_PARTS; i++)
		w->part[i] = parts[i];
}

void strassen_unite(const struct strassen_product *p, struct strassen_work *w)
{
	const size_t half = p->n / 2;
	const matrix p1 = w->part[0].c, p6 = w->part[5].c, p7 = w->part[6].c;
	matrix c[4];

	for (unsigned i = 0; i < 4; i++)
		c[i] = quarter(p->c, half, i);
	for (size_t i = 0; i < half; i++)
		sums_of_products(half, row(&p1, i), row(&p6, i), row(&p7, i), row(&c[0], i), row(&c[1], i),
			row(&c[2], i), row(&c[3], i));
	strassen_room_give(p, w->room);
}

/* Four rows of b at a time go into a row of c, which stays near meanwhile. */
void strassen_base(const struct strassen_product *p)
{
	double sum[STRASSEN_BASE];

	for (size_t i = 0; i < STRASSEN_BASE; i++) {
		const double *a = row(&p->a, i);

		for (size_t j = 0; j < STRASSEN_BASE; j++)
			sum[j] = 0;
		for (size_t k = 0; k < STRASSEN_BASE; k += 4) {
			const double *b0 = row(&p->b, k), *b1 = row(&p->b, k + 1), *b2 = row(&p->b, k + 2),
				     *b3 = row(&p->b, k + 3);
			for (size_t j = 0; j < STRASSEN_BASE; j++)
				sum[j] += a[k] * b0[j] + a[k + 1] * b1[j] + a[k + 2] * b2[j] + a[k + 3] * b3[j];
		}
		for (size_t j = 0; j < STRASSEN_BASE; j++)
			row(&p->c, i)[j] = sum[j];
	}
}

void strassen_serial(const struct strassen_product *p)
{
	struct strassen_work w;

	if (p->n == STRASSEN_BASE) {
		strassen_base(p);
		return;
	}
	strassen_divide(p, &w);
	for (unsigned i = 0; i < STRASSEN_PARTS; i++)
		strassen_serial(&w.part[i]);
	strassen_unite(p, &w);
}
